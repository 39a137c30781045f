// Asked before a dose that the plan speaks against: on the device, with or without a network.

import { html } from "../vendor/preact.js";
import { say } from "../words.js";
import { now } from "../store/clock.js";
import { useStore } from "./hooks.js";
import { sentences, texts } from "./text.js";
import { Button, Sheet } from "./ui.js";

/** @param {{plan: any, near: any, onLog: () => void, onClose: () => void}} props */
export function Near({ plan, near, onLog, onClose }) {
  const { title, why } = texts.near(plan, near, useStore().account.id, now());
  return html`
    <${Sheet} title=${title} onClose=${onClose}>
      <p>${sentences(why, say("near.log_anyway_asked"))}</p>
      <div class="actions">
        <${Button} kind="primary" onClick=${onClose}>${say("near.dont_log")}<//>
        <${Button} onClick=${onLog}>${say("near.log_anyway")}<//>
      </div>
    <//>
  `;
}
