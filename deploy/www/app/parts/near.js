// Asked before a dose that the plan speaks against: on the device, with or without a network.

import { html } from "../vendor/preact.js";
import { now } from "../store/clock.js";
import { useStore } from "./hooks.js";
import { texts } from "./text.js";
import { Button, Sheet } from "./ui.js";

/** @param {{plan: any, near: any, onLog: () => void, onClose: () => void}} props */
export function Near({ plan, near, onLog, onClose }) {
  const { title, why } = texts.near(plan, near, useStore().account.id, now());
  return html`
    <${Sheet} title=${title} onClose=${onClose}>
      <p>${why} Log anyway?</p>
      <div class="actions">
        <${Button} kind="primary" onClick=${onClose}>Don’t log<//>
        <${Button} onClick=${onLog}>Log anyway<//>
      </div>
    <//>
  `;
}
