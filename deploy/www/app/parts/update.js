// The worker that keeps the app on the device, and the word that a new version is there.

import { html, useEffect, useState } from "../vendor/preact.js";
import { addressOf, say } from "../words.js";
import { language } from "../store/language.js";

const bell = new EventTarget();

export function watchForUpdates() {
  const workers = navigator.serviceWorker;
  if (!workers) return;
  let isControlled = Boolean(workers.controller);
  workers.addEventListener("controllerchange", () => {
    if (isControlled) bell.dispatchEvent(new Event("new"));
    isControlled = true; // the very first one is no new version
  });
  addEventListener("load", async () => {
    try {
      const registration = await workers.register("/worker.js", { scope: "/", updateViaCache: "none" });
      document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && registration?.update().catch(() => {}));
    } catch {
      // Without a worker the app needs the network to open; everything else is the same.
    }
  });
}

/** Has the worker keep the words: on a first visit they came before it did. */
export const keepWords = () => {
  navigator.serviceWorker?.ready.then(({ active }) => active?.postMessage({ words: new URL(addressOf(language())).pathname }));
};

/** Has the worker keep what the first screens don't need, once there is a quiet moment. */
export const keepTheRest = () => navigator.serviceWorker?.ready.then(({ active }) => active?.postMessage("rest"));

export function Update() {
  const [isNew, setNew] = useState(false);
  useEffect(() => {
    const ring = () => setNew(true);
    bell.addEventListener("new", ring);
    return () => bell.removeEventListener("new", ring);
  }, []);
  return html`
    <div role="status">
      ${isNew &&
      html`<div class="update"><p>${say("update.new_version")}</p><button type="button" onClick=${() => location.reload()}>${say("update.reload")}</button></div>`}
    </div>
  `;
}
