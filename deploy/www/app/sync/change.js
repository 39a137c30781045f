// One edit, deletion or restoration on its way up.

import { put, waitingFor } from "../store/apply.js";
import { now } from "../store/clock.js";
import { putAside } from "../store/deleted.js";
import { described } from "../store/kinds.js";
import { rebase } from "../store/merge.js";
import { conflict, texts } from "../parts/text.js";
import { del, get, patch, post, Refusal } from "./api.js";

/** @typedef {import("../store/store.js").Store} Store */
/** @typedef {import("../store/types").AnyEvent} AnyEvent */
/** @typedef {import("../store/types").Edit} Edit */
/** @typedef {import("../store/types").Removal} Removal */

/** @param {Edit | Removal} entry @param {string} child */
const pathOf = (entry, child) => `/children/${child}/${described(entry.type).plural}/${entry.id}`;

/** @param {Store} store @param {Edit | Removal} entry @param {AbortSignal} [signal] */
export async function sendChange(store, entry, signal) {
  const path = pathOf(entry, entry.child_id);
  try {
    if (entry.op === "edit") await sendEdit(store, entry, path, signal);
    else if (entry.op === "delete") await sendDeletion(store, entry, path, signal);
    else {
      const { body } = await post(`${path}/restore`, {}, { signal });
      await saved(store, entry, body[entry.type], signal);
    }
  } catch (error) {
    if (!(error instanceof Refusal) || error.passes || error.status === 401) throw error;
    const isGone = error.status === 404 || error.status === 410;
    const event = isGone ? null : await eventOf(entry, entry.child_id, signal);
    if (event || (entry.op === "restore" && !isGone)) await reject(store, entry, error, event);
    else if (!(await isWithAnother(store, entry, signal))) await gone(store, entry);
  }
}

/**
 * What the server has of it with this child.
 * @param {Edit | Removal} entry @param {string} child @param {AbortSignal} [signal] @returns {Promise<AnyEvent | null>}
 */
async function eventOf(entry, child, signal) {
  try {
    return (await get(pathOf(entry, child), { signal }))[entry.type];
  } catch (error) {
    if (error instanceof Refusal && error.status === 404) return null;
    throw error;
  }
}

/**
 * Whether the event is with another child of the family now, moved by somebody or by an edit whose answer was lost. Then
 * the entry goes there.
 * @param {Store} store @param {Edit | Removal} entry @param {AbortSignal} [signal]
 */
async function isWithAnother(store, entry, signal) {
  const family = store.snapshot.families.find((one) => one.id === entry.family_id);
  for (const { id } of family?.children ?? []) {
    if (id === entry.child_id || !(await eventOf(entry, id, signal))) continue;
    await store.write(["outbox"], async (table) => {
      table("outbox").put({ ...entry, child_id: id });
    });
    return true;
  }
  return false;
}

/** @param {Store} store @param {Edit} entry @param {string} path @param {AbortSignal} [signal] */
async function sendEdit(store, entry, path, signal) {
  try {
    const { body } = await patch(path, entry.patch, { ifMatch: entry.base.revision, signal });
    await saved(store, entry, body[entry.type], signal);
  } catch (error) {
    if (!(error instanceof Refusal && error.status === 412)) throw error;
    /** @type {AnyEvent} */
    const current = (await get(path, { signal }))[entry.type];
    const { patch: rest, both } = rebase(entry.base, entry.patch, current, entry.at);
    await store.write(["events", "outbox", "notices"], async (table) => {
      for (const one of both) {
        table("notices").add({ kind: "conflict", event: entry.id, text: conflict(entry, current, one) });
      }
      const next = { ...entry, base: current, patch: rest, tries: 0 };
      if (Object.keys(rest).length) table("outbox").put(next);
      else table("outbox").delete(entry.seq);
      put(table, entry.type, current, entry.family_id, await waitingFor(table, entry.family_id, entry.id));
    });
  }
}

/** @param {Store} store @param {Removal} entry @param {string} path @param {AbortSignal} [signal] */
async function sendDeletion(store, entry, path, signal) {
  try {
    await del(path, { signal });
  } catch (error) {
    if (!(error instanceof Refusal && error.status === 404)) throw error;
    if (await isWithAnother(store, entry, signal)) return;
    // Gone already is as good.
  }
  await store.write(["outbox"], async (table) => {
    table("outbox").delete(entry.seq);
  });
}

/** @param {Store} store @param {Edit | Removal} entry @param {AnyEvent} answered @param {AbortSignal} [signal] */
async function saved(store, entry, answered, signal) {
  const kept = await store.event(entry.family_id, entry.id);
  // The feed was quicker than the answer, with what somebody did since.
  const isOld = !kept || kept.event.revision > answered.revision;
  const event = isOld ? await eventOf(entry, answered.child_id, signal) : answered;
  await store.write(["events", "outbox"], async (table) => {
    table("outbox").delete(entry.seq);
    const later = await waitingFor(table, entry.family_id, entry.id);
    for (const one of later) table("outbox").put({ ...one, base: event ?? answered, child_id: answered.child_id });
    if (event) put(table, entry.type, event, entry.family_id, later);
    else table("events").delete([entry.family_id, entry.id]);
  });
}

/** @param {Store} store @param {Edit | Removal} entry */
const gone = (store, entry) =>
  store.write(["events", "outbox", "notices", "deleted"], async (table) => {
    for (const one of await waitingFor(table, entry.family_id, entry.id)) table("outbox").delete(one.seq);
    if (entry.op === "restore") table("events").delete([entry.family_id, entry.id]);
    else await putAside(table, entry.family_id, entry.id, now());
    table("notices").add({ kind: "gone", text: texts.gone(1) });
  });

/**
 * The event is as the server has it; what was to change is kept with the reason.
 * @param {Store} store
 * @param {Edit | Removal} entry
 * @param {Refusal} refusal
 * @param {AnyEvent | null} event null where it stays deleted
 */
const reject = (store, entry, refusal, event) =>
  store.write(["events", "outbox"], async (table) => {
    const reason = refusal.details.map((detail) => texts.reason(detail, refusal.code)).join(" ");
    table("outbox").put({ ...entry, tries: 0, rejected: reason || texts.refusal(refusal) });
    if (event) put(table, entry.type, event, entry.family_id, await waitingFor(table, entry.family_id, entry.id));
    else table("events").delete([entry.family_id, entry.id]);
  });
