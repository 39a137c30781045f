// What was deleted in the last 30 days, to be brought back.

import { html, useEffect, useState } from "../vendor/preact.js";
import { say, sayNodes } from "../words.js";
import { isKnown } from "../store/kinds.js";
import { now } from "../store/clock.js";
import { deletedOf, forgetOld } from "../store/deleted.js";
import { restore } from "../store/log.js";
import { explainStorage, kindName, summary } from "../parts/text.js";
import { ago, momentText } from "../parts/format.js";
import { useQuery, useStore, useWork } from "../parts/hooks.js";
import { toast } from "../parts/toast.js";
import { Button, Choice, Head, Problem } from "../parts/ui.js";
import { DeletedBefore } from "./deleted-before.js";

const PAGE = 60;

/** @param {import("../store/types").Deleted} one */
function historyOf({ type, event, deleted }) {
  const when = ago(deleted);
  if (type === "plan") return say("deleted.when", { when });
  const name = event.created_by?.name;
  return name ? sayNodes("deleted.logged_by", { name, when }) : say("deleted.logged_by_someone", { when });
}

export function DeletedEntries() {
  const store = useStore();
  const { family } = store;
  const { child } = store.snapshot;
  const [count, setCount] = useState(PAGE);
  const [isBusy, problem, run] = useWork(explainStorage);
  useEffect(() => void forgetOld(store, now()).catch(() => {}), []);
  const all = useQuery(() => (child ? deletedOf(store, child.id, now()) : Promise.resolve([])), [child?.id]);
  const found = all?.filter(({ type }) => isKnown(type) && (type !== "plan" || family.role === "parent"));
  const back = (/** @type {import("../store/types").Deleted} */ { deleted, isUnsent, ...kept }) =>
    run(async () => {
      await restore(store, { kept, isUnsent });
      toast(say("deleted.is_back", { what: summary(kept.type, kept.event) || kindName(kept.type) }));
    });
  return html`
    <${Head} title=${say("deleted.title")} back="timeline" />
    ${child && family.children.length > 1 &&
    html`<${Choice} label=${say("common.child")} hidden kind="children" value=${child.id} options=${family.children.map((one) => [one.id, one.name])}
      onChange=${(/** @type {string} */ id) => store.choose(family.id, id)} />`}
    <p class="soft">${say("deleted.what_is_here")}</p>
    <${Problem} text=${problem} />
    ${found && !found.length && html`<p class="empty soft">${say("deleted.nothing")}</p>`}
    <ul class="cards">
      ${(found ?? []).slice(0, count).map((one) => {
        const name = summary(one.type, one.event) || kindName(one.type);
        return html`
          <li class="card" key=${one.id}>
            <p><strong>${name}</strong>${one.time ? html`<span class="soft"> · ${momentText(one.time)}</span>` : ""}</p>
            <p class="soft small">${historyOf(one)}</p>
            ${family.role !== "viewer" && html`<div class="row">
              <${Button} kind="small" busy=${isBusy} aria-label=${say("deleted.bring_back_what", { what: name })}
                onClick=${() => back(one)}>${say("deleted.bring_back")}<//>
            </div>`}
          </li>
        `;
      })}
    </ul>
    ${found && found.length > count &&
    html`<div class="actions"><${Button} onClick=${() => setCount(count + PAGE)}>${say("deleted.show_older")}<//></div>`}
    ${family.role === "parent" && html`<${DeletedBefore} />`}
  `;
}
