// One line at the bottom that says what was done, with Undo for as long as it shows.

import { html, useEffect, useState } from "../vendor/preact.js";
import { say } from "../words.js";
import { Icon } from "./icons.js";

const UNDO = 10_000;
const SHOWN = 4_000;
const STEP = 250;
const bell = new EventTarget();

/** @param {string} text @param {(() => any) | null} [undo] @param {string | null} [look] a route to what it is about */
export function toast(text, undo, look) {
  bell.dispatchEvent(new CustomEvent("toast", { detail: { text, undo, look, at: Date.now() } }));
}

export function Toasts() {
  const [shown, setShown] = useState(/** @type {any} */ (null));
  useEffect(() => {
    const show = (/** @type {any} */ event) => setShown(event.detail);
    bell.addEventListener("toast", show);
    return () => bell.removeEventListener("toast", show);
  }, []);
  useEffect(() => {
    if (!shown) return;
    let left = shown.undo || shown.look ? UNDO : SHOWN;
    const timer = setInterval(() => {
      if (document.querySelector("dialog[open]")) return; // under a sheet nobody reaches it: that time does not count
      left -= STEP;
      if (left <= 0) setShown(null);
    }, STEP);
    return () => clearInterval(timer);
  }, [shown]);
  const undo = () => {
    setShown(null);
    shown.undo();
  };
  return html`
    <div class="toast-place" role="status">
      ${shown &&
      html`
        <div class="toast" key=${shown.at}>
          <p>${shown.text}</p>
          ${shown.look && html`<a href=${`#/${shown.look}`} onClick=${() => setShown(null)}>${say("common.look")}</a>`}
          ${shown.undo && html`<button type="button" onClick=${undo}><${Icon} name="undo" />${say("common.undo")}</button>`}
        </div>
      `}
    </div>
  `;
}
