// When this person last looked at a child's day on this device.

import { answer } from "./database.js";

/** @typedef {import("./store.js").Store} Store */

/** @param {string} child */
const keyOf = (child) => `looked:${child}`;

/** @param {Store} store @param {string} child @returns {Promise<number | undefined>} */
export const lookedAt = (store, child) => store.read(["meta"], (table) => answer(table("meta").get(keyOf(child))));

/**
 * Never back: another tab may know less of it.
 * @param {Store} store @param {string} child @param {number} at
 */
export const keepLooked = (store, child, at) =>
  store.writeUnseen(["meta"], async (table) => {
    const before = (await answer(table("meta").get(keyOf(child)))) ?? -Infinity;
    if (at > before) table("meta").put(at, keyOf(child));
  });
