// What stands where a screen is not here yet, or could not be fetched.

import { html, useEffect } from "../vendor/preact.js";
import { say } from "../words.js";
import { get } from "../sync/api.js";
import { Again } from "../parts/ui.js";

export const Dots = () => html`<p class="soft">…</p>`;

/** All begins anew as soon as the server answers: some browsers don't ask again for what they did not get. */
export function Unfetched() {
  useEffect(() => {
    const look = () => get("/server").then(() => location.reload(), () => {});
    const timer = setInterval(look, 3_000);
    addEventListener("online", look);
    return () => {
      clearInterval(timer);
      removeEventListener("online", look);
    };
  }, []);
  return html`<p class="soft">${say("more.unavailable")}</p><${Again} />`;
}
