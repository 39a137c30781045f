// One edit, deletion or restoration on its way up.

import { answer } from "../store/database.js";
import { pending, put } from "../store/apply.js";
import { kinds } from "../store/kinds.js";
import { rebase, record } from "../store/merge.js";
import { conflict, texts } from "../text.js";
import { del, get, patch, post, Refusal } from "./api.js";

/** @typedef {import("../store/store.js").Store} Store */

/** @param {Store} store @param {any} entry @param {AbortSignal} [signal] */
export async function sendChange(store, entry, signal) {
  const place = `/children/${entry.child_id}/${kinds[entry.type].path}/${entry.id}`;
  try {
    if (entry.op === "edit") await sendEdit(store, entry, place, signal);
    else if (entry.op === "delete") await sendDeletion(store, entry, place, signal);
    else {
      const { body } = await post(`${place}/restore`, {}, { signal });
      await saved(store, entry, body[entry.type]);
    }
  } catch (error) {
    if (!(error instanceof Refusal) || error.passes || error.status === 401) throw error;
    if (error.status === 404 || error.status === 410) await gone(store, entry);
    else await aside(store, entry, error);
  }
}

/** @param {Store} store @param {any} entry @param {string} place @param {AbortSignal} [signal] */
async function sendEdit(store, entry, place, signal) {
  try {
    const { body } = await patch(place, entry.patch, { ifMatch: entry.base.revision, signal });
    await saved(store, entry, body[entry.type]);
  } catch (error) {
    if (!(error instanceof Refusal && error.status === 412)) throw error;
    const current = (await get(place, { signal }))[entry.type];
    const { patch: rest, both } = rebase(entry.base, entry.patch, current, entry.at);
    await store.write(["events", "outbox", "notices"], async (in_) => {
      for (const one of both) {
        in_("notices").add({ kind: "conflict", event: entry.id, text: conflict(entry, current, one) });
      }
      const next = { ...entry, base: current, patch: rest, tries: 0 };
      if (Object.keys(rest).length) in_("outbox").put(next);
      else in_("outbox").delete(entry.seq);
      const waiting = (await pending(in_)).get(entry.id) ?? [];
      put(in_, entry.type, current, entry.family_id, waiting);
    });
  }
}

/** @param {Store} store @param {any} entry @param {string} place @param {AbortSignal} [signal] */
async function sendDeletion(store, entry, place, signal) {
  try {
    await del(place, { signal });
  } catch (error) {
    // Gone already is as good.
    if (!(error instanceof Refusal && error.status === 404)) throw error;
  }
  await store.write(["outbox"], async (in_) => {
    in_("outbox").delete(entry.seq);
  });
}

/** @param {Store} store @param {any} entry @param {any} event */
const saved = (store, entry, event) =>
  store.write(["events", "outbox"], async (in_) => {
    in_("outbox").delete(entry.seq);
    const later = ((await pending(in_)).get(entry.id) ?? []).filter((one) => one.seq !== entry.seq);
    for (const one of later) in_("outbox").put({ ...one, base: event });
    put(in_, entry.type, event, entry.family_id, later);
  });

/** @param {Store} store @param {any} entry */
const gone = (store, entry) =>
  store.write(["events", "outbox", "notices"], async (in_) => {
    for (const one of await answer(in_("outbox").index("id").getAll(entry.id))) in_("outbox").delete(one.seq);
    in_("events").delete(entry.id);
    in_("notices").add({ kind: "gone", text: texts.gone(1) });
  });

/**
 * The entry is as it was; what was to change is kept with the reason.
 * @param {Store} store
 * @param {any} entry
 * @param {Refusal} refusal
 */
const aside = (store, entry, refusal) =>
  store.write(["events", "outbox"], async (in_) => {
    const reason = refusal.details.map(({ field, message }) => texts.reason(field, message)).join(" ");
    in_("outbox").put({ ...entry, tries: 0, aside: reason || texts.refusal(refusal) });
    if (entry.base) in_("events").put(record(entry.type, entry.base, entry.family_id));
  });
