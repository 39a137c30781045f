// What the server says, written into the store. What waits in the outbox stays on top of it.

import { now } from "./clock.js";
import { answer } from "./database.js";
import { forgetDeletedOf, putAside } from "./deleted.js";
import { dropImports } from "./imports.js";
import { isKnown, timeOf } from "./kinds.js";
import { merge, record } from "./merge.js";
import { countOf, takeUnsent, takeUnsentOfChild } from "./unsent.js";

/** @typedef {import("./database.js").Tables} Tables */
/** @typedef {import("./types").Entry} Entry */
/** @typedef {import("./types").AnyEvent} AnyEvent */
/** @typedef {{entity: string, id: string, op: string, data: any, revision: number}} Change a newer server may have entities of its own */

/**
 * What waits for one event, in order.
 * @param {Tables} table @param {string} family @param {string} id @returns {Promise<Entry[]>}
 */
export const waitingFor = (table, family, id) => answer(table("outbox").index("event").getAll([family, id]));

/**
 * What waits for each of these events.
 * @param {Tables} table @param {string} family @param {string[]} ids @returns {Promise<Map<string, Entry[]>>}
 */
export async function pending(table, family, ids) {
  if (!(await answer(table("outbox").index("family").count(family)))) return new Map();
  return new Map(await Promise.all(ids.map(async (id) => /** @type {const} */ ([id, await waitingFor(table, family, id)]))));
}

/**
 * Puts an event as the server has it, unless this device knows a newer state.
 * @param {Tables} table @param {string} type @param {AnyEvent} event @param {string} family @param {Entry[]} [waiting] entries about it
 */
export function put(table, type, event, family, waiting = []) {
  const going = waiting.filter((entry) => !entry.rejected);
  if (going.filter(({ op }) => op === "delete" || op === "restore").at(-1)?.op === "delete") return;
  const shown = going.reduce((event, entry) => (entry.op === "edit" ? merge(type, event, entry.patch) : event), event);
  table("events").put(record(type, shown, family));
}

/** @param {Tables} table @param {string} family @param {string} child */
async function dropChild(table, family, child) {
  await takeUnsentOfChild(table, family, child);
  await forgetDeletedOf(table, child);
  table("children").delete(child);
  const range = IDBKeyRange.bound([child, -Infinity], [child, Infinity]);
  for (const index of ["time", "plan"]) {
    for (const key of await answer(table("events").index(index).getAllKeys(range))) table("events").delete(key);
  }
}

/** What is no event, and how a change of it is applied. */
const others = {
  /** @param {Tables} table @param {string} family @param {Change} change */
  async family(table, family, { op, data }) {
    if (op === "upsert") table("families").put({ ...(await answer(table("families").get(family))), ...data });
  },
  /** @param {Tables} table @param {string} family @param {Change} change */
  async family_member(table, family, { op, id, data }) {
    if (op === "upsert") table("members").put({ ...data, family_id: family, user_id: id });
    else table("members").delete([family, id]);
  },
  /** @param {Tables} table @param {string} family @param {Change} change */
  async child(table, family, { op, id, data }) {
    if (op === "upsert") table("children").put({ ...data, family_id: family });
    else await dropChild(table, family, id);
  },
};

/** @param {string} entity @returns {entity is keyof typeof others} */
const isOther = (entity) => Object.hasOwn(others, entity);

/**
 * Whether something is an event. One of a kind that only a newer version knows is told by a child and a time.
 * @param {string} type @param {any} data
 */
export const isEvent = (type, data) => isKnown(type) || (typeof data?.child_id === "string" && timeOf(type, data) > 0);

/** @param {Tables} table @param {string} family @param {Change} change @param {Entry[]} waiting @param {import("./types").Kept | null} known the event as it is here */
async function applyEvent(table, family, { entity, id, op, data, revision }, waiting, known) {
  if (op === "delete") {
    const isKept = waiting.some(({ op, rejected }) => op === "create" || (op === "restore" && !rejected));
    if (!isKept) await putAside(table, family, id, now());
  } else if (!(known && known.event.revision > revision) && isEvent(entity, data)) {
    put(table, entity, data, family, waiting);
  }
}

export const feedStores = ["meta", "families", "members", "children", "events", "outbox", "notices", "deleted"];

/** @param {Tables} table @param {string} family @param {Change[]} changes @param {number} next @param {boolean} isFresh nothing older is there */
export async function applyChanges(table, family, changes, next, isFresh) {
  const events = changes.filter(({ entity }) => !isOther(entity));
  const waiting = await pending(table, family, events.map(({ id }) => id));
  // Asked for together: one after the other they would take longer than everything else.
  const known = new Map(isFresh ? [] : await Promise.all(events.map(async ({ id }) =>
    /** @type {const} */ ([id, await answer(table("events").get([family, id]))]))));
  for (const change of changes) {
    if (isOther(change.entity)) await others[change.entity](table, family, change);
    else await applyEvent(table, family, change, waiting.get(change.id) ?? [], known.get(change.id) ?? null);
  }
  // What somebody brought back is not among the deleted any more.
  if (await answer(table("deleted").count())) {
    for (const { id, op } of events) if (op === "upsert") table("deleted").delete([family, id]);
  }
  const since = (await answer(table("meta").get(`since:${family}`))) ?? 0;
  table("meta").put(isFresh ? next : Math.max(since, next), `since:${family}`);
}

/**
 * Takes what is known of a family off the device, except what waits to be sent.
 * @param {Tables} table
 * @param {string} family
 */
export async function clearFamily(table, family) {
  const entries = await answer(table("outbox").index("family").getAll(family));
  const made = new Set(entries.filter(({ op }) => op === "create").map(({ id }) => id));
  const members = IDBKeyRange.bound([family, ""], [family, "\uffff"]);
  table("members").delete(members);
  for (const key of await answer(table("children").index("family").getAllKeys(family))) table("children").delete(key);
  for (const key of await answer(table("events").index("family").getAllKeys(family))) {
    if (!made.has(/** @type {string[]} */ (key)[1])) table("events").delete(key);
  }
  table("meta").delete(`since:${family}`);
  table("meta").delete(`anew:${family}`);
}

/**
 * The family is not this person's any more: it goes, and a notice says so.
 * @param {Tables} table
 * @param {string} family
 */
export async function dropFamily(table, family) {
  const entries = await answer(table("outbox").index("family").getAll(family));
  const unsent = await takeUnsent(table, entries);
  await clearFamily(table, family);
  dropImports(table, family);
  table("deleted").delete(IDBKeyRange.bound([family, ""], [family, "\uffff"]));
  const known = await answer(table("families").get(family));
  table("families").delete(family);
  if (known) table("notices").add({ kind: "family-gone", name: known.name, count: countOf(entries), unsent });
}
