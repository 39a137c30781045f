// One edit, deletion or restoration on its way up.

import { answer } from "../store/database.js";
import { pending, put } from "../store/apply.js";
import { kinds } from "../store/kinds.js";
import { rebase } from "../store/merge.js";
import { conflict, texts } from "../text.js";
import { del, get, patch, post, Refusal } from "./api.js";

/** @typedef {import("../store/store.js").Store} Store */

/** @param {any} entry @param {string} child */
const placeOf = (entry, child) => `/children/${child}/${kinds[entry.type].path}/${entry.id}`;

/** @param {Store} store @param {any} entry @param {AbortSignal} [signal] */
export async function sendChange(store, entry, signal) {
  const place = placeOf(entry, entry.child_id);
  try {
    if (entry.op === "edit") await sendEdit(store, entry, place, signal);
    else if (entry.op === "delete") await sendDeletion(store, entry, place, signal);
    else {
      const { body } = await post(`${place}/restore`, {}, { signal });
      await saved(store, entry, body[entry.type], signal);
    }
  } catch (error) {
    if (!(error instanceof Refusal) || error.passes || error.status === 401) throw error;
    const isGone = error.status === 404 || error.status === 410;
    const event = isGone ? null : await eventOf(entry, entry.child_id, signal);
    if (event || (entry.op === "restore" && !isGone)) await aside(store, entry, error, event);
    else if (!(await isWithAnother(store, entry, signal))) await gone(store, entry);
  }
}

/**
 * What the server has of it with this child.
 * @param {any} entry @param {string} child @param {AbortSignal} [signal]
 */
async function eventOf(entry, child, signal) {
  try {
    return (await get(placeOf(entry, child), { signal }))[entry.type];
  } catch (error) {
    if (error instanceof Refusal && error.status === 404) return null;
    throw error;
  }
}

/**
 * Whether the event is with another child of the family now, moved by somebody or by an edit whose answer was lost. Then
 * the entry goes there.
 * @param {Store} store @param {any} entry @param {AbortSignal} [signal]
 */
async function isWithAnother(store, entry, signal) {
  const family = store.snapshot.families.find((/** @type {any} */ one) => one.id === entry.family_id);
  for (const { id } of family?.children ?? []) {
    if (id === entry.child_id || !(await eventOf(entry, id, signal))) continue;
    await store.write(["outbox"], async (in_) => {
      in_("outbox").put({ ...entry, child_id: id });
    });
    return true;
  }
  return false;
}

/** @param {Store} store @param {any} entry @param {string} place @param {AbortSignal} [signal] */
async function sendEdit(store, entry, place, signal) {
  try {
    const { body } = await patch(place, entry.patch, { ifMatch: entry.base.revision, signal });
    await saved(store, entry, body[entry.type], signal);
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
    if (!(error instanceof Refusal && error.status === 404)) throw error;
    if (await isWithAnother(store, entry, signal)) return;
    // Gone already is as good.
  }
  await store.write(["outbox"], async (in_) => {
    in_("outbox").delete(entry.seq);
  });
}

/** @param {Store} store @param {any} entry @param {any} answered @param {AbortSignal} [signal] */
async function saved(store, entry, answered, signal) {
  const kept = await store.event(entry.id);
  // The feed was quicker than the answer, with what somebody did since.
  const isOld = !kept || kept.event.revision > answered.revision;
  const event = isOld ? await eventOf(entry, answered.child_id, signal) : answered;
  await store.write(["events", "outbox"], async (in_) => {
    in_("outbox").delete(entry.seq);
    const later = (await pending(in_)).get(entry.id) ?? [];
    for (const one of later) in_("outbox").put({ ...one, base: event ?? answered, child_id: answered.child_id });
    if (event) put(in_, entry.type, event, entry.family_id, later);
    else in_("events").delete(entry.id);
  });
}

/** @param {Store} store @param {any} entry */
const gone = (store, entry) =>
  store.write(["events", "outbox", "notices"], async (in_) => {
    for (const one of await answer(in_("outbox").index("id").getAll(entry.id))) in_("outbox").delete(one.seq);
    in_("events").delete(entry.id);
    in_("notices").add({ kind: "gone", text: texts.gone(1) });
  });

/**
 * The event is as the server has it; what was to change is kept with the reason.
 * @param {Store} store
 * @param {any} entry
 * @param {Refusal} refusal
 * @param {any} event null where it stays deleted
 */
const aside = (store, entry, refusal, event) =>
  store.write(["events", "outbox"], async (in_) => {
    const reason = refusal.details.map((detail) => texts.reason(detail, refusal.code)).join(" ");
    in_("outbox").put({ ...entry, tries: 0, aside: reason || texts.refusal(refusal) });
    if (event) put(in_, entry.type, event, entry.family_id, (await pending(in_)).get(entry.id));
    else in_("events").delete(entry.id);
  });
