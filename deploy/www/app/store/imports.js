// What imports on this device made, kept for 30 days: so that one can be undone, and a second run knows its own.

import { answer } from "./database.js";

/**
 * An event as an import made it.
 * @typedef {{type: string, child_id: string, revision: number, event: import("./types").Values}} Made
 */
/**
 * `isElsewhere`: made on another device, and known by its events alone; then `by` is a name.
 * @typedef {{id: string, family: string, at: number, by: string, files: string[], events: Record<string, Made>,
 *   isElsewhere?: boolean}} Import
 */
/** @typedef {Pick<import("./store.js").Store, "read" | "writeUnseen">} Store */

export const KEPT = 30 * 86_400_000;

/** @param {string} family */
const keysOf = (family) => IDBKeyRange.bound(`import:${family}:`, `import:${family}:\uffff`);

/**
 * The family's imports, the latest first. Those that are over go.
 * @param {Store} store @param {string} family @param {number} now @returns {Promise<Import[]>}
 */
export async function importsOf(store, family, now) {
  /** @type {Import[]} */
  const all = await store.read(["meta"], (table) => answer(table("meta").getAll(keysOf(family))));
  const isOver = (/** @type {Import} */ { at, events }) => now - at > KEPT || !Object.keys(events).length;
  for (const one of all.filter(isOver)) await forgetImport(store, one);
  return all.filter((one) => !isOver(one)).sort((one, other) => other.at - one.at);
}

/** @param {Store} store @param {Import} one */
export const keepImport = (store, one) =>
  store.writeUnseen(["meta"], async (table) => {
    table("meta").put(one, `import:${one.family}:${one.id}`);
  });

/** @param {Store} store @param {Import} one */
export const forgetImport = (store, one) =>
  store.writeUnseen(["meta"], async (table) => {
    table("meta").delete(`import:${one.family}:${one.id}`);
  });

/** @param {string} family */
const undoneOf = (family) => IDBKeyRange.bound(`undone:${family}:`, `undone:${family}:\uffff`);

/**
 * Ids that undoing deletes: the server knows them as deleted for 30 days, and a new import can't have them.
 * @param {Store} store @param {string} family @param {string} id @param {number} now
 */
export const keepUndone = (store, family, id, now) =>
  store.writeUnseen(["meta"], async (table) => {
    table("meta").put({ id, at: now }, `undone:${family}:${id}`);
  });

/**
 * @param {Store} store @param {string} family @param {number} now
 * @returns {Promise<Set<string>>}
 */
export async function undone(store, family, now) {
  /** @type {{id: string, at: number}[]} */
  const all = await store.read(["meta"], (table) => answer(table("meta").getAll(undoneOf(family))));
  const over = all.filter(({ at }) => now - at > KEPT);
  if (over.length) {
    await store.writeUnseen(["meta"], async (table) => {
      for (const { id } of over) table("meta").delete(`undone:${family}:${id}`);
    });
  }
  return new Set(all.filter((one) => !over.includes(one)).map(({ id }) => id));
}

/**
 * The family goes from this device.
 * @param {import("./database.js").Tables} table @param {string} family
 */
export function dropImports(table, family) {
  table("meta").delete(keysOf(family));
  table("meta").delete(undoneOf(family));
}
