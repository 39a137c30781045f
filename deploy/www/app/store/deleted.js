// What was deleted in the last 30 days, by whomever, as this device knew it: so long the server can bring it back.

import { answer } from "./database.js";

/** @typedef {import("./database.js").Tables} Tables */
/** @typedef {import("./types").Deleted} Deleted */

const KEPT_FOR = 30 * 86_400_000;

/**
 * Takes an event out of the store, and keeps it aside.
 * @param {Tables} table @param {string} family @param {string} id @param {number} at
 * @param {boolean} [isUnsent] the server never had it
 */
export async function putAside(table, family, id, at, isUnsent = false) {
  /** @type {import("./types").Kept | undefined} */
  const kept = await answer(table("events").get([family, id]));
  table("events").delete([family, id]);
  if (kept) table("deleted").put({ ...kept, deleted: at, isUnsent });
}

/**
 * What of a child can be brought back, the latest deletion first.
 * @param {import("./store.js").Store} store @param {string} child @param {number} now @returns {Promise<Deleted[]>}
 */
export async function deletedOf(store, child, now) {
  const range = IDBKeyRange.bound([child, now - KEPT_FOR], [child, Infinity]);
  const found = await store.read(["deleted"], (table) => answer(table("deleted").index("child").getAll(range)));
  return found.reverse();
}

/**
 * What nobody can bring back any more goes from the device.
 * @param {import("./store.js").Store} store @param {number} now
 */
export const forgetOld = (store, now) =>
  store.writeUnseen(["deleted"], async (table) => {
    const range = IDBKeyRange.bound(-Infinity, now - KEPT_FOR);
    for (const key of await answer(table("deleted").index("when").getAllKeys(range))) table("deleted").delete(key);
  });

/** @param {Tables} table @param {string} child */
export async function forgetDeletedOf(table, child) {
  const range = IDBKeyRange.bound([child, -Infinity], [child, Infinity]);
  for (const key of await answer(table("deleted").index("child").getAllKeys(range))) table("deleted").delete(key);
}
