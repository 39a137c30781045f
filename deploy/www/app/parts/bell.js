// A bell beside a clock: whether this person is told, and the way to say when.

import { html } from "../vendor/preact.js";
import { Icon } from "./icons.js";

/** @param {{label: string, isOn: boolean, onTap: () => void}} props */
export const Bell = ({ label, isOn, onTap }) => html`
  <button type="button" class="plain bell" aria-label=${label} aria-pressed=${isOn ? "true" : "false"} onClick=${onTap}>
    <${Icon} name=${isOn ? "bell-on" : "bell"} />
  </button>
`;
