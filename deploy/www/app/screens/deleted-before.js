// What was deleted before this device knew the family: the history of changes has it, for parents and with a network.

import { html, useState } from "../vendor/preact.js";
import { say, sayNodes } from "../words.js";
import { answer } from "../store/database.js";
import { described, isKnown } from "../store/kinds.js";
import { now } from "../store/clock.js";
import { get, post } from "../sync/api.js";
import { explain, kindName, summary } from "../parts/text.js";
import { ago, momentText } from "../parts/format.js";
import { useStore, useWork } from "../parts/hooks.js";
import { toast } from "../parts/toast.js";
import { Button, Problem } from "../parts/ui.js";

/** @typedef {import("../types/api").AuditEntry} Entry */

const DAYS = 30 * 86_400_000;
const PAGES = 10; // of 200

/**
 * The latest first.
 * @param {import("../store/store.js").Store} store @param {string} family @returns {Promise<Entry[]>}
 */
async function deletions(store, family) {
  /** @type {Map<string, Entry>} */
  const found = new Map();
  for (let page = 0, cursor = ""; page < PAGES; page += 1) {
    const after = cursor && `&cursor=${encodeURIComponent(cursor)}`;
    /** @type {import("../types/api").AuditList} */
    const answered = await get(`/families/${family}/audit?limit=200${after}`);
    const recent = answered.entries.filter((entry) => now() - Date.parse(entry.created_at) < DAYS);
    for (const entry of recent) {
      const { action, entity_type: kind, entity_id: id } = entry;
      if (action === "delete" && isKnown(kind) && !found.has(id)) found.set(id, entry);
    }
    cursor = answered.next_cursor ?? "";
    if (!cursor || recent.length < answered.entries.length) break;
  }
  return store.read(["events", "deleted"], async (table) => {
    const ids = [...found.keys()];
    const isHere = (/** @type {string} */ name) =>
      Promise.all(ids.map((id) => answer(table(name).getKey([family, id]))));
    const [events, deleted] = await Promise.all(["events", "deleted"].map(isHere));
    return ids.filter((_, at) => !events[at] && !deleted[at]).map((id) => /** @type {Entry} */ (found.get(id)));
  });
}

/**
 * The event as it was.
 * @param {Entry} entry @returns {Record<string, any>}
 */
const wasOf = ({ changes }) =>
  Object.fromEntries(Object.entries(changes).map(([field, change]) => [field, /** @type {any} */ (change)?.old ?? null]));

/** @param {Entry} entry */
function deletedBy({ user, created_at }) {
  const when = ago(created_at);
  return user ? sayNodes("deleted.by", { name: user.name, when }) : say("deleted.by_someone", { when });
}

export function DeletedBefore() {
  const store = useStore();
  const { family } = store;
  const [found, setFound] = useState(/** @type {Entry[] | null} */ (null));
  const [isBusy, problem, run] = useWork(explain);
  const look = () => run(async () => setFound(await deletions(store, family.id)));
  const back = (/** @type {Entry} */ { entity_type: kind, entity_id: id }, /** @type {string} */ name) =>
    run(async () => {
      // Whose it was is not in the history: it is the child's that has it.
      for (const [place, child] of family.children.entries()) {
        try {
          await post(`/children/${child.id}/${described(kind).plural}/${id}/restore`, {});
          break;
        } catch (error) {
          if (/** @type {any} */ (error).status !== 404 || place === family.children.length - 1) throw error;
        }
      }
      setFound((all) => (all ?? []).filter((one) => one.entity_id !== id));
      toast(say("deleted.is_back", { what: name }));
    });
  if (!found) {
    return html`
      <${Problem} text=${problem} />
      <div class="actions"><${Button} busy=${isBusy} onClick=${look}>${say("deleted.look_for_older")}<//></div>
    `;
  }
  return html`
    <h2>${say("deleted.before")}</h2>
    <${Problem} text=${problem} />
    ${!found.length && html`<p class="soft">${say("deleted.nothing_else")}</p>`}
    <ul class="cards">
      ${found.map((entry) => {
        const event = wasOf(entry);
        const name = summary(entry.entity_type, event) || kindName(entry.entity_type);
        const time = event.started_at ?? event.occurred_at;
        return html`
          <li class="card" key=${entry.entity_id}>
            <p><strong>${name}</strong>${time && html`<span class="soft"> · ${momentText(time)}</span>`}</p>
            <p class="soft small">${deletedBy(entry)}</p>
            <div class="row">
              <${Button} kind="small" busy=${isBusy} aria-label=${say("deleted.bring_back_what", { what: name })}
                onClick=${() => back(entry, name)}>${say("deleted.bring_back")}<//>
            </div>
          </li>
        `;
      })}
    </ul>
  `;
}
