// What the server says, laid into the store. What waits in the outbox stays on top of it.

import { answer } from "./database.js";
import { dropImports } from "./imports.js";
import { kinds } from "./kinds.js";
import { merge, record } from "./merge.js";

/** @typedef {(name: string) => IDBObjectStore} In */

/**
 * What waits, by the event it is about, in order.
 * @param {In} in_
 * @returns {Promise<Map<string, any[]>>}
 */
export async function pending(in_) {
  const waiting = new Map();
  for (const entry of await answer(in_("outbox").getAll())) {
    waiting.set(entry.id, [...(waiting.get(entry.id) ?? []), entry]);
  }
  return waiting;
}

/**
 * Puts an event as the server has it, unless this device knows a newer state.
 * @param {In} in_ @param {string} type @param {any} event @param {string} family @param {any[]} [waiting] entries about it
 */
export function put(in_, type, event, family, waiting = []) {
  const going = waiting.filter((entry) => !entry.aside);
  const isDeleted = going.reduce((was, { op }) => (op === "delete" ? true : op === "restore" ? false : was), false);
  if (isDeleted) return;
  const shown = going
    .filter((entry) => entry.op === "edit")
    .reduce((event, entry) => merge(type, event, entry.patch), event);
  in_("events").put(record(type, shown, family));
}

/** @param {In} in_ @param {string} family @param {string} child */
async function dropChild(in_, family, child) {
  in_("children").delete(child);
  const range = IDBKeyRange.bound([child, -Infinity], [child, Infinity]);
  for (const key of await answer(in_("events").index("time").getAllKeys(range))) in_("events").delete(key);
  for (const entry of await answer(in_("outbox").index("family").getAll(family))) {
    if (entry.child_id === child) in_("outbox").delete(entry.seq);
  }
}

/** @param {In} in_ @param {string} family @param {any} change @param {Map<string, any[]>} waiting @param {any} known the event as it is here */
async function applyOne(in_, family, { entity, id, op, data, revision }, waiting, known) {
  if (entity === "family") {
    if (op === "upsert") in_("families").put({ ...(await answer(in_("families").get(family))), ...data });
  } else if (entity === "family_member") {
    if (op === "upsert") in_("members").put({ ...data, family_id: family, user_id: id });
    else in_("members").delete([family, id]);
  } else if (entity === "child") {
    if (op === "upsert") in_("children").put({ ...data, family_id: family });
    else await dropChild(in_, family, id);
  } else if (op === "delete") {
    const isKept = waiting.get(id)?.some(({ op, aside }) => op === "create" || (op === "restore" && !aside));
    if (!isKept) in_("events").delete(id);
  } else if (!(known?.event.revision > revision)) {
    put(in_, entity, data, family, waiting.get(id));
  }
}

// A newer server may have more.
const ENTITIES = new Set(["family", "family_member", "child", ...Object.keys(kinds)]);

export const feedStores = ["meta", "families", "members", "children", "events", "outbox"];

/** @param {In} in_ @param {string} family @param {any[]} changes @param {number} next @param {boolean} isFresh nothing older is there */
export async function applyChanges(in_, family, changes, next, isFresh) {
  const waiting = await pending(in_);
  // Asked for together: one after the other they would take longer than everything else.
  const known = await Promise.all(changes.map(({ entity, op, id }) => (!isFresh && op === "upsert" && entity in kinds ? answer(in_("events").get(id)) : null)));
  for (const [index, change] of changes.entries()) {
    if (ENTITIES.has(change.entity)) await applyOne(in_, family, change, waiting, known[index]);
  }
  const since = (await answer(in_("meta").get(`since:${family}`))) ?? 0;
  in_("meta").put(isFresh ? next : Math.max(since, next), `since:${family}`);
}

/**
 * Takes what is known of a family off the device, except what waits to be sent.
 * @param {In} in_
 * @param {string} family
 */
export async function clearFamily(in_, family) {
  const waiting = await pending(in_);
  const members = IDBKeyRange.bound([family, ""], [family, "\uffff"]);
  in_("members").delete(members);
  for (const key of await answer(in_("children").index("family").getAllKeys(family))) in_("children").delete(key);
  for (const key of await answer(in_("events").index("family").getAllKeys(family))) {
    if (!waiting.get(String(key))?.some((entry) => entry.op === "create")) in_("events").delete(key);
  }
  in_("meta").delete(`since:${family}`);
}

/**
 * The family is not this person's any more: it goes, with what was waiting for it.
 * @param {In} in_
 * @param {string} family
 * @returns {Promise<{name: string, dropped: number}>}
 */
export async function dropFamily(in_, family) {
  const entries = await answer(in_("outbox").index("family").getAll(family));
  for (const entry of entries) {
    in_("outbox").delete(entry.seq);
    in_("events").delete(entry.id);
  }
  await clearFamily(in_, family);
  dropImports(in_, family);
  const known = await answer(in_("families").get(family));
  in_("families").delete(family);
  return { name: known?.name ?? "", dropped: entries.length };
}
