// What a person does: each puts its change into the store and into the outbox in one transaction, and is done.

import { waitingFor } from "./apply.js";
import { clock, now, timestamp } from "./clock.js";
import { answer } from "./database.js";
import { putAside } from "./deleted.js";
import { keepFromNowOn } from "./keep.js";
import { described, isKnown } from "./kinds.js";
import { difference, merge, record, together } from "./merge.js";
import { uuid } from "./uuid.js";

/** @typedef {import("./store.js").Store} Store */
/** @typedef {import("./types").Kept} Kept */
/** @typedef {import("./types").Values} Values */
/** @template Of @typedef {import("./types").New<Of>} New */
/** @typedef {Pick<Kept, "id" | "family_id">} Key which event of which family */

/** @param {string} type @param {Values} event */
const fieldsOf = (type, event) =>
  Object.fromEntries(
    Object.keys(described(type).fields).filter((field) => event[field] != null).map((field) => [field, event[field]]));

/**
 * Of several children who did the same, each has an entry of its own.
 * @param {Store} store @param {{id: string, family_id: string}[]} children @param {string} type @param {Values} fields
 * @param {Record<string, Values>} [own] what is one child's alone, by its id
 */
export async function logFor(store, children, type, fields, own = {}) {
  const at = now();
  const made = timestamp(at);
  const created_by = { user_id: store.account.id, name: store.account.name };
  const about = { revision: 0, created_at: made, updated_at: made, created_by };
  const all = children.map(({ id: child_id, family_id }) =>
    record(type, { id: uuid(at), child_id, ...fields, ...own[child_id], ...about }, family_id));
  await store.write(["events", "outbox"], async (table) => {
    for (const kept of all) {
      table("events").put(kept);
      table("outbox").add(creation(kept));
    }
  });
  store.outboxChanged();
  keepFromNowOn();
  return all;
}

/** @param {Store} store @param {{id: string, family_id: string}} child @param {string} type @param {Values} fields */
export const log = async (store, child, type, fields) => (await logFor(store, [child], type, fields))[0];

/** @param {Kept} kept @returns {New<import("./types").Creation>} */
const creation = (kept) => ({
  op: "create", id: kept.id, type: kept.type, child_id: kept.child_id, family_id: kept.family_id, tries: 0,
  offset: clock.offset(), event: { id: kept.id, ...fieldsOf(kept.type, kept.event) },
});

/** @param {Store} store @param {Key} key @param {Values} after the event's fields as they are to be */
export async function edit(store, { family_id, id }, after) {
  await store.write(["events", "outbox"], async (table) => {
    /** @type {Kept | undefined} */
    const kept = await answer(table("events").get([family_id, id]));
    if (!kept || !isKnown(kept.type)) return;
    const { child_id = kept.child_id } = after;
    const own = child_id === kept.child_id ? after : { ...after, plan_id: null }; // a plan is one child's
    const patch = difference(kept.event, own, Object.keys(own));
    const entry = (await waitingFor(table, family_id, id)).at(-1);
    if (!Object.keys(patch).length && !entry?.rejected) return;
    const changed = merge(kept.type, kept.event, patch);
    if (entry && !entry.tries && entry.op === "create") {
      const { rejected, ...rest } = entry;
      table("outbox").put({ ...rest, child_id: changed.child_id, event: { id, ...fieldsOf(kept.type, changed) } });
    } else if (entry && !entry.tries && entry.op === "edit") {
      const { rejected, ...rest } = entry;
      table("outbox").put({ ...rest, patch: together(kept.type, { ...entry.patch, ...patch }, changed), at: now() });
    } else {
      table("outbox").add({
        op: "edit", id, type: kept.type, child_id: kept.child_id, family_id, tries: 0, at: now(),
        base: kept.event, patch,
      });
    }
    table("events").put(record(kept.type, changed, kept.family_id));
  });
  store.outboxChanged();
}

/** @typedef {{kept: Kept, isUnsent: boolean}} Removed what `restore` wants, to undo it */

/** @param {Store} store @param {Key} key @returns {Promise<Removed | null>} */
export async function remove(store, { family_id, id }) {
  const removed = await store.write(["events", "outbox", "deleted"], async (table) => {
    /** @type {Kept | undefined} */
    const kept = await answer(table("events").get([family_id, id]));
    if (!kept || !isKnown(kept.type)) return null;
    const entries = await waitingFor(table, family_id, id);
    const isUnsent = entries[0]?.op === "create" && !entries[0].tries;
    if (isUnsent) {
      for (const entry of entries) table("outbox").delete(entry.seq);
    } else {
      table("outbox").add({
        op: "delete", id, type: kept.type, child_id: kept.child_id, family_id, tries: 0, base: kept.event,
      });
    }
    await putAside(table, family_id, id, now(), isUnsent);
    return { kept, isUnsent };
  });
  store.outboxChanged();
  return removed;
}

/** @param {Store} store @param {Removed} removed */
export async function restore(store, { kept, isUnsent }) {
  await store.write(["events", "outbox", "deleted"], async (table) => {
    table("deleted").delete([kept.family_id, kept.id]);
    const entry = (await waitingFor(table, kept.family_id, kept.id)).at(-1);
    if (isUnsent) {
      table("outbox").add(creation(kept));
    } else if (entry?.op === "delete" && !entry.tries) {
      table("outbox").delete(entry.seq);
    } else {
      table("outbox").add({
        op: "restore", id: kept.id, type: kept.type, child_id: kept.child_id, family_id: kept.family_id, tries: 0,
        base: kept.event,
      });
    }
    table("events").put(kept);
  });
  store.outboxChanged();
}

/**
 * Gives up on what could not be saved. What the server has of it is in the store already.
 * @param {Store} store
 * @param {import("./types").Entry} entry
 */
export async function giveUp(store, entry) {
  await store.write(["events", "outbox"], async (table) => {
    table("outbox").delete(entry.seq);
    if (entry.op === "create") table("events").delete([entry.family_id, entry.id]);
  });
}

/**
 * Tries again what could not be saved.
 * @param {Store} store
 * @param {import("./types").Entry} entry
 */
export async function retry(store, { rejected, ...entry }) {
  await store.write(["outbox"], async (table) => {
    table("outbox").put({ ...entry, tries: 0 });
  });
  store.outboxChanged();
}
