// What has to be said until it was read, what could not be saved, and what waits.

import { html } from "../vendor/preact.js";
import { texts } from "./text.js";
import { useStore } from "./hooks.js";
import { Icon } from "./icons.js";

export function Notices() {
  const store = useStore();
  const { notices, rejected } = store.snapshot;
  return html`
    <div class="notices" role="status">
      ${notices.map(
        (/** @type {any} */ { key, text, kind }) => html`
          <div class="notice ${kind}" key=${key}>
            <p>${text}</p>
            <button type="button" class="plain" aria-label="Dismiss" onClick=${() => store.dismiss(key)}><${Icon} name="close" /></button>
          </div>
        `,
      )}
      ${rejected.length > 0 &&
      html`
        <a class="notice rejected" href="#/waiting">
          <p>${rejected.length === 1 ? "1 entry couldn’t be saved." : `${rejected.length} entries couldn’t be saved.`} <b>See why</b></p>
          <${Icon} name="next" />
        </a>
      `}
    </div>
  `;
}

/** A quiet line; nothing waits for it. */
export function Waiting() {
  const store = useStore();
  const { waiting } = store.snapshot;
  const isOffline = store.status === "offline";
  if (!isOffline && (!waiting || store.status === "ok")) return html`<p class="quiet" role="status"></p>`;
  /** @type {Record<string, string>} */
  const reasons = { offline: "no connection", busy: "the server is busy", full: "this device’s storage is full" };
  const parts = [waiting > 0 && texts.waiting(waiting), reasons[store.status]];
  return html`<p class="quiet" role="status"><${Icon} name="waiting" /><span>${parts.filter(Boolean).join(" · ")}</span></p>`;
}
