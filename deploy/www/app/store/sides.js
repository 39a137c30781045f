// The clock of a breast feed that goes on, as this device keeps it: a reload or another tab loses nothing.

import { changesOf, fieldsAt, sidesAt } from "../model/sides.js";
import { now, timestamp } from "./clock.js";
import { answer } from "./database.js";
import { edit } from "./log.js";

/** @typedef {import("./store.js").Store} Store */
/** @typedef {import("./types").Kept} Kept */
/** @typedef {import("../model/sides.js").Change} Change */

const KEY = "sides:";
const DAY = 86_400_000;

/**
 * The changes so far: as this device made them, else as far as the feed tells.
 * @param {Store} store @param {Kept} one @returns {Promise<{changes: Change[], isTouched: boolean}>}
 */
export async function sidesOf(store, { id, time, event }) {
  /** @type {Change[] | undefined} */
  const made = await store.read(["meta"], (table) => answer(table("meta").get(KEY + id)));
  return { changes: made ?? changesOf(time, event), isTouched: Boolean(made || event.last_side) };
}

/**
 * The other side, a pause, or on from a pause. A switch is in the feed at once: who stops it elsewhere has the minutes.
 * @param {Store} store @param {Kept} one @param {Change["side"]} side
 */
export async function changeSide(store, one, side) {
  const at = Math.max(now(), one.time);
  const { changes } = await sidesOf(store, one);
  const before = sidesAt(changes, at);
  await store.write(["meta"], async (table) => {
    const range = IDBKeyRange.bound(KEY, `${KEY}\uffff`);
    for (const key of await answer(table("meta").getAllKeys(range))) {
      /** @type {Change[]} */
      const old = await answer(table("meta").get(key));
      if (at - old[old.length - 1].at > DAY) table("meta").delete(key);
    }
    table("meta").put([...changes, { at, side }], KEY + one.id);
  });
  if (side && before.last && side !== before.last) {
    const { left_minutes, right_minutes } = fieldsAt(changes, at);
    await edit(store, one, { side: "both", left_minutes, right_minutes, last_side: side });
  }
}

/**
 * Ends the feed with its minutes; one that stood still ended when it was paused.
 * @param {Store} store @param {Kept} one
 * @returns {Promise<{taken: number, undo: () => Promise<void>}>} how long it was
 */
export async function endFeed(store, one) {
  const { changes, isTouched } = await sidesOf(store, one);
  const { left, right, isPaused } = sidesAt(changes, now());
  const end = isPaused ? changes[changes.length - 1].at : Math.max(now(), one.time);
  const fields = isTouched ? fieldsAt(changes, end) : {};
  const before = Object.fromEntries(Object.keys(fields).map((field) => [field, one.event[field] ?? null]));
  await edit(store, one, { ...fields, ended_at: timestamp(end) });
  return {
    taken: isTouched ? left + right : end - one.time,
    undo: () => edit(store, one, { ...before, ended_at: null }),
  };
}
