// What could not be saved, and why; and what is still waiting to be sent.

import { html } from "../vendor/preact.js";
import { say } from "../words.js";
import { giveUp, retry } from "../store/log.js";
import { merge } from "../store/merge.js";
import { timeOf } from "../store/kinds.js";
import { kindName, summary, texts } from "../parts/text.js";
import { momentText } from "../parts/format.js";
import { go, useStore } from "../parts/hooks.js";
import { Button, Head } from "../parts/ui.js";

/**
 * What the entry was to be.
 * @param {any} entry
 */
const wanted = (entry) => (entry.op === "create" ? entry.event : merge(entry.type, entry.base ?? {}, entry.patch ?? {}));

export function WaitingList() {
  const store = useStore();
  const { rejected, waiting } = store.snapshot;
  return html`
    <${Head} title=${say("waiting_list.title")} back="today" />
    ${!rejected.length && html`<p class="soft">${say("waiting_list.fine")}</p>`}
    <ul class="cards">
      ${rejected.map((entry) => {
        const event = wanted(entry);
        const name = kindName(entry.type);
        const time = timeOf(entry.type, event);
        return html`
          <li class="card" key=${entry.seq}>
            <p><strong>${summary(entry.type, event) || name}</strong>${time ? html`<span class="soft"> · ${momentText(time)}</span>` : ""}</p>
            <p class="problem">${entry.rejected}</p>
            <div class="row">
              ${entry.op !== "delete" && entry.op !== "restore" && html`<${Button} kind="small" onClick=${() => go(entry.type === "plan" ? `child/${entry.child_id}/${entry.id}` : `timeline/${entry.id}`)}>${say("waiting_list.change")}<//>`}
              <${Button} kind="small" onClick=${() => retry(store, entry)}>${say("common.try_again")}<//>
              <${Button} kind="small danger" onClick=${() => giveUp(store, entry)}>${say("waiting_list.give_up")}<//>
            </div>
          </li>
        `;
      })}
    </ul>
    ${waiting > 0 && html`<p class="soft">${texts.waitingToGo(waiting)}</p>`}
  `;
}
