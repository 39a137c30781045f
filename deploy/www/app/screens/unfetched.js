// What stands where a screen is not here yet, or could not be fetched.

import { html, useEffect } from "../vendor/preact.js";
import { say } from "../words.js";
import { get } from "../sync/api.js";
import { useTick } from "../parts/hooks.js";
import { Again } from "../parts/ui.js";

export const Dots = () => html`<p class="soft">…</p>`;

/** All begins anew as soon as the server answers: some browsers don't ask again for what they did not get. */
export function Unfetched() {
  const tick = useTick(3_000);
  useEffect(() => {
    const begin = () => document.querySelector("dialog[open]") || location.reload(); // what is being written there would be lost
    if (tick > 0) get("/server").then(begin, () => {});
  }, [tick]);
  return html`<p class="soft">${say("more.unavailable")}</p><${Again} />`;
}
