// What a person does: each puts its change into the store and into the outbox in one transaction, and is done.

import { clock, now, timestamp } from "../sync/clock.js";
import { answer } from "./database.js";
import { kinds } from "./kinds.js";
import { difference, merge, record, together } from "./merge.js";
import { uuid } from "./uuid.js";

/** @typedef {import("./store.js").Store} Store */

/** @param {string} type @param {any} event */
const fieldsOf = (type, event) =>
  Object.fromEntries(kinds[type].fields.filter((field) => event[field] != null).map((field) => [field, event[field]]));

/** @param {Store} store @param {any} child @param {string} type @param {any} fields */
export async function log(store, child, type, fields) {
  const at = now();
  const id = uuid(at);
  const made = timestamp(at);
  const event = {
    id, child_id: child.id, ...fields, revision: 0, created_at: made, updated_at: made,
    created_by: { user_id: store.account.id, name: store.account.name },
  };
  const kept = record(type, event, child.family_id);
  await store.write(["events", "outbox"], async (in_) => {
    in_("events").put(kept);
    in_("outbox").add(creation(kept));
  });
  store.outboxChanged();
  return kept;
}

/** @param {any} kept */
const creation = (kept) => ({
  op: "create", id: kept.id, type: kept.type, child_id: kept.child_id, family_id: kept.family_id, tries: 0,
  offset: clock.offset(), event: { id: kept.id, ...fieldsOf(kept.type, kept.event) },
});

/**
 * Many at once, with ids of their own: an import.
 * @param {Store} store
 * @param {any} child
 * @param {{type: string, event: any}[]} events
 */
export async function logAll(store, child, events) {
  const made = timestamp();
  await store.write(["events", "outbox"], async (in_) => {
    for (const { type, event } of events) {
      if (await answer(in_("events").getKey(event.id))) continue;
      const whole = {
        ...event, child_id: child.id, revision: 0, created_at: made, updated_at: made,
        created_by: { user_id: store.account.id, name: store.account.name },
      };
      const kept = record(type, whole, child.family_id);
      in_("events").put(kept);
      in_("outbox").add(creation(kept));
    }
  });
  store.outboxChanged();
}

/** @param {(name: string) => IDBObjectStore} in_ @param {string} id */
const waitingFor = (in_, id) => answer(in_("outbox").index("id").getAll(id));

/** @param {Store} store @param {string} id @param {any} after the event's fields as they are to be */
export async function edit(store, id, after) {
  await store.write(["events", "outbox"], async (in_) => {
    const kept = await answer(in_("events").get(id));
    if (!kept) return;
    const patch = difference(kept.event, after, Object.keys(after));
    const entry = (await waitingFor(in_, id)).at(-1);
    if (!Object.keys(patch).length && !entry?.aside) return;
    const changed = merge(kept.type, kept.event, patch);
    if (entry && !entry.tries && entry.op === "create") {
      const { aside, ...rest } = entry;
      in_("outbox").put({ ...rest, child_id: changed.child_id, event: { id, ...fieldsOf(kept.type, changed) } });
    } else if (entry && !entry.tries && entry.op === "edit") {
      const { aside, ...rest } = entry;
      in_("outbox").put({ ...rest, patch: together(kept.type, { ...entry.patch, ...patch }, changed), at: now() });
    } else {
      in_("outbox").add({
        op: "edit", id, type: kept.type, child_id: kept.child_id, family_id: kept.family_id, tries: 0, at: now(),
        base: kept.event, patch,
      });
    }
    in_("events").put(record(kept.type, changed, kept.family_id));
  });
  store.outboxChanged();
}

/** @param {Store} store @param {string} id @returns {Promise<any>} what `restore` wants, to undo it */
export async function remove(store, id) {
  const removed = await store.write(["events", "outbox"], async (in_) => {
    const kept = await answer(in_("events").get(id));
    if (!kept) return null;
    const entries = await waitingFor(in_, id);
    const isUnsent = entries[0]?.op === "create" && !entries[0].tries;
    if (isUnsent) {
      for (const entry of entries) in_("outbox").delete(entry.seq);
    } else {
      in_("outbox").add({
        op: "delete", id, type: kept.type, child_id: kept.child_id, family_id: kept.family_id, tries: 0, base: kept.event,
      });
    }
    in_("events").delete(id);
    return { kept, isUnsent };
  });
  store.outboxChanged();
  return removed;
}

/** @param {Store} store @param {any} removed */
export async function restore(store, { kept, isUnsent }) {
  await store.write(["events", "outbox"], async (in_) => {
    const entry = (await waitingFor(in_, kept.id)).at(-1);
    if (isUnsent) {
      in_("outbox").add(creation(kept));
    } else if (entry?.op === "delete" && !entry.tries) {
      in_("outbox").delete(entry.seq);
    } else {
      in_("outbox").add({
        op: "restore", id: kept.id, type: kept.type, child_id: kept.child_id, family_id: kept.family_id, tries: 0,
        base: kept.event,
      });
    }
    in_("events").put(kept);
  });
  store.outboxChanged();
}

/**
 * Gives up on what could not be saved. What the server has of it is in the store already.
 * @param {Store} store
 * @param {any} entry
 */
export async function discard(store, entry) {
  await store.write(["events", "outbox"], async (in_) => {
    in_("outbox").delete(entry.seq);
    if (entry.op === "create") in_("events").delete(entry.id);
  });
}

/**
 * Tries again what could not be saved.
 * @param {Store} store
 * @param {any} entry
 */
export async function retry(store, { aside, ...entry }) {
  await store.write(["outbox"], async (in_) => {
    in_("outbox").put({ ...entry, tries: 0 });
  });
  store.outboxChanged();
}
