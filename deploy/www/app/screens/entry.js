// One entry: to look at, to change, to delete.

import { html, useState } from "../vendor/preact.js";
import { say, sayNodes } from "../words.js";
import { belongs, isKnown, kinds } from "../store/kinds.js";
import { edit, remove, restore } from "../store/log.js";
import { difference } from "../store/merge.js";
import { explainStorage, kindName, sentences, summary, texts } from "../parts/text.js";
import { momentText } from "../parts/format.js";
import { useQuery, useStore, useWork } from "../parts/hooks.js";
import { overlapOf } from "../parts/overlaps.js";
import { toast } from "../parts/toast.js";
import { Button, Problem, Select, Sheet } from "../parts/ui.js";
import { EntryHistory } from "./entry-history.js";
import { Fields } from "./forms/fields.js";
import { missing } from "../parts/missing.js";
import { inOrder, Moment } from "./forms/times.js";

/** @param {{id: string, onClose: () => void}} props */
export function EntrySheet({ id, onClose }) {
  const store = useStore();
  const { family } = store;
  const found = useQuery(async () => ({ kept: await store.event(family.id, id) }), [family.id, id]);
  const [deleted, setDeleted] = useState(/** @type {import("../store/types").Kept | null} */ (null)); // here, just now
  if (!found) return null;
  const kept = found.kept ?? deleted;
  if (!kept) return html`<${Sheet} title=${say("entry.title")} onClose=${onClose}><p>${say("entry.gone")}</p><//>`;
  if (kept.type === "plan") return html`<${Sheet} title=${say("kind.plan")} onClose=${onClose}><p><a href=${`#/child/${kept.child_id}`}>${say("entry.with_child")}</a></p><//>`;
  if (!isKnown(kept.type)) return html`<${Newer} kept=${kept} onClose=${onClose} />`;
  return html`<${Editor} kept=${kept} onClose=${onClose} onDelete=${() => setDeleted(kept)} />`;
}

/**
 * Logged by a newer version. What this one doesn't know it can't change.
 * @param {{kept: import("../store/types").Kept, onClose: () => void}} props
 */
const Newer = ({ kept, onClose }) => html`
  <${Sheet} title=${kindName(kept.type)} onClose=${onClose}>
    <p>${say("entry.newer", { time: momentText(kept.time) })}</p>
  <//>
`;

/**
 * The fields that differ from what they were; of another type of feed none stays.
 * @param {string} type
 * @param {import("../store/types").Values} before
 * @param {import("../store/types").Values} value
 */
function changed(type, before, value) {
  const fields = Object.keys(kinds[type].fields).filter((field) => field in value && belongs(type, field, value.type));
  const isNewlyBreast = type === "feeding" && value.type === "breast" && !value.side;
  return difference(before, isNewlyBreast ? { ...value, side: "left" } : value, isNewlyBreast ? [...new Set([...fields, "side"])] : fields);
}

/** @param {{kept: import("../store/types").Kept, onClose: () => void, onDelete: () => void}} props */
function Editor({ kept, onClose, onDelete }) {
  const store = useStore();
  const { type, event } = kept;
  const { family } = store;
  const [opened] = useState(/** @type {any} */ (event)); // what others change meanwhile is not changed back
  const [value, setValue] = useState(opened);
  const [isBusy, problem, run] = useWork((error) => (typeof error === "string" ? error : explainStorage(error)));
  const canEdit = family?.role !== "viewer";
  const set = (/** @type {any} */ patch) => setValue({ ...value, ...patch });
  const starts = kinds[type].time;
  const iso = (/** @type {number | null} */ time) => (time === null ? null : new Date(time).toISOString());
  const save = () =>
    run(async () => {
      const after = inOrder(value);
      const gap = missing(type, after);
      if (gap) throw gap;
      await edit(store, kept, { ...changed(type, opened, after), ...(value.child_id !== opened.child_id && { child_id: value.child_id }) });
      onClose();
      const [one, other] = await Promise.all([store.event(kept.family_id, kept.id), overlapOf(store, kept)]);
      if (one && other) toast(sentences(say("entry.saved_but"), texts.overlap(one, other, store.account.id)), null, `timeline/${other.id}`);
      else toast(say("common.saved"));
    });
  const drop = () =>
    run(async () => {
      onDelete(); // until the sheet is closed it stays as it is
      const removed = await remove(store, kept);
      onClose();
      if (removed) toast(say("entry.deleted", { what: summary(type, event) || kindName(type) }), () => restore(store, removed));
    });
  return html`
    <${Sheet} title=${kindName(type)} onClose=${onClose}>
      <p class="soft">${sayNodes(event.updated_by ? "entry.logged_and_changed" : "entry.logged", {
        name: event.created_by?.name ?? say("value.someone"), time: momentText(event.created_at),
        other: event.updated_by?.name || say("value.someone"),
      })}</p>
      ${canEdit
        ? html`
            <${Fields} type=${type} value=${value} set=${set} />
            <${Moment} label=${say(kinds[type].end ? "common.started" : "common.when")} value=${value[starts]} onChange=${(/** @type {any} */ time) => set({ [starts]: iso(time) })} />
            ${kinds[type].end && html`<${Moment} label=${say("entry.ended")} optional value=${value.ended_at} onChange=${(/** @type {any} */ time) => set({ ended_at: iso(time) })} />`}
            ${family.children.length > 1 &&
            html`<${Select} label=${say("common.child")} value=${value.child_id} options=${family.children.map((one) => [one.id, one.name])}
              onChange=${(/** @type {string} */ child_id) => set({ child_id })} />`}
          `
        : html`<p><strong>${summary(type, event)}</strong></p>`}
      ${type === "sleep" && html`<${Overlap} kept=${kept} />`}
      ${family?.role === "parent" && event.revision > 0 && html`<${EntryHistory} id=${kept.id} family=${family} />`}
      <${Problem} text=${problem} />
      ${canEdit &&
      html`
        <div class="actions stay">
          <${Button} kind="primary" busy=${isBusy} onClick=${save}>${say("common.save")}<//>
          <${Button} kind="danger" busy=${isBusy} onClick=${drop}>${say("common.delete")}<//>
        </div>
      `}
    <//>
  `;
}

/** @param {{kept: import("../store/types").Kept}} props */
function Overlap({ kept }) {
  const store = useStore();
  const other = useQuery(() => overlapOf(store, kept), [kept.id, kept.time, kept.event.ended_at]);
  if (!other) return null;
  const name = texts.otherSleep(other, store.account.id);
  return html`<p class="hint">${sayNodes("entry.overlaps", { other: html`<a href=${`#/timeline/${other.id}`}>${name}</a>` })}</p>`;
}
