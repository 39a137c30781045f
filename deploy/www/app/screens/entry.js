// One entry: to look at, to change, to delete.

import { html, useState } from "../vendor/preact.js";
import { kinds } from "../store/kinds.js";
import { edit, remove, restore } from "../store/log.js";
import { difference } from "../store/merge.js";
import { explainStorage, kindNames, summary } from "../text.js";
import { momentText } from "../parts/format.js";
import { useQuery, useStore, useWork } from "../parts/hooks.js";
import { toast } from "../parts/toast.js";
import { Button, Problem, Select, Sheet } from "../parts/ui.js";
import { EntryHistory } from "./entry-history.js";
import { Fields } from "./forms/fields.js";
import { missing } from "./forms/missing.js";
import { inOrder, Moment } from "./forms/times.js";

/** @param {{id: string, onClose: () => void}} props */
export function EntrySheet({ id, onClose }) {
  const store = useStore();
  const found = useQuery(async () => ({ kept: await store.event(id) }), [id]);
  if (!found) return null;
  if (!found.kept) return html`<${Sheet} title="Entry" onClose=${onClose}><p>This entry isn’t there any more.</p><//>`;
  return html`<${Editor} kept=${found.kept} onClose=${onClose} />`;
}

/**
 * The fields that differ from what they were; of another type of feed none stays.
 * @param {string} type
 * @param {any} before
 * @param {any} value
 */
function changed(type, before, value) {
  const after = { ...value };
  if (type === "feeding" && before.type !== value.type) {
    const own = /** @type {Record<string, string[]>} */ ({ breast: ["side"], bottle: ["amount_ml", "content"], solid: ["food"] });
    for (const [name, fields] of Object.entries(own)) {
      if (name !== value.type) for (const field of fields) delete after[field];
    }
    if (value.type === "breast" && !value.side) after.side = "left";
  }
  const patch = difference(before, after, Object.keys(after).filter((field) => kinds[type].fields.includes(field)));
  return patch;
}

/** @param {any} props */
function Editor({ kept, onClose }) {
  const store = useStore();
  const { type, event } = kept;
  const { family } = store.snapshot;
  const [opened] = useState(/** @type {any} */ (event)); // what others change meanwhile is not changed back
  const [value, setValue] = useState(opened);
  const [isBusy, problem, run] = useWork((error) => (typeof error === "string" ? error : explainStorage(error)));
  const canEdit = family?.role !== "viewer";
  const set = (/** @type {any} */ patch) => setValue({ ...value, ...patch });
  const starts = kinds[type].starts;
  const iso = (/** @type {number | null} */ time) => (time === null ? null : new Date(time).toISOString());
  const save = () =>
    run(async () => {
      const after = inOrder(value);
      const gap = missing(type, after);
      if (gap) throw gap;
      await edit(store, kept.id, { ...changed(type, opened, after), ...(value.child_id !== opened.child_id && { child_id: value.child_id }) });
      onClose();
      toast("Saved");
    });
  const drop = () =>
    run(async () => {
      const removed = await remove(store, kept.id);
      onClose();
      if (removed) toast(`${summary(type, event) || kindNames[/** @type {"note"} */ (type)]} deleted`, () => restore(store, removed));
    });
  return html`
    <${Sheet} title=${kindNames[/** @type {"note"} */ (type)]} onClose=${onClose}>
      <p class="soft">Logged by <bdi>${event.created_by?.name ?? "someone"}</bdi>, ${momentText(event.created_at)}</p>
      ${canEdit
        ? html`
            <${Fields} type=${type} value=${value} set=${set} />
            <${Moment} label=${kinds[type].lasts ? "Started" : "When"} value=${value[starts]} onChange=${(/** @type {any} */ time) => set({ [starts]: iso(time) })} />
            ${kinds[type].lasts && html`<${Moment} label="Ended" optional value=${value.ended_at} onChange=${(/** @type {any} */ time) => set({ ended_at: iso(time) })} />`}
            ${family.children.length > 1 &&
            html`<${Select} label="Child" value=${value.child_id} options=${family.children.map((/** @type {any} */ one) => [one.id, one.name])}
              onChange=${(/** @type {string} */ child_id) => set({ child_id })} />`}
          `
        : html`<p><strong>${summary(type, event)}</strong></p>`}
      ${family?.role === "parent" && event.revision > 0 && html`<${EntryHistory} id=${kept.id} family=${family} />`}
      <${Problem} text=${problem} />
      ${canEdit &&
      html`
        <div class="actions stay">
          <${Button} kind="primary" busy=${isBusy} onClick=${save}>Save<//>
          <${Button} kind="danger" busy=${isBusy} onClick=${drop}>Delete<//>
        </div>
      `}
    <//>
  `;
}
