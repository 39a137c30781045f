// The look of the night, and the way to its page.

import { html, useState } from "../vendor/preact.js";
import { say } from "../words.js";
import { device, setDevice } from "../store/account.js";
import { Icon } from "./icons.js";

/** Night look on and off, in one tap. */
export function Look() {
  const [look, setLook] = useState(device().look ?? "auto");
  const isNight = look === "night";
  const toggle = () => {
    const next = isNight ? "auto" : "night";
    setDevice({ look: next });
    setLook(next);
  };
  return html`
    ${isNight && html`<a class="plain" href="#/nursery" aria-label=${say("look.nursery")}><${Icon} name="nursery" /></a>`}
    <button type="button" class="plain" aria-pressed=${isNight} aria-label=${say("look.night")} onClick=${toggle}>
      <${Icon} name=${isNight ? "sun" : "moon"} />
    </button>
  `;
}
