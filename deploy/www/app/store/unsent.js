// What waited to be sent when its place ended: it leaves the device with a notice, from which the person can save it.

import { answer } from "./database.js";
import { inTimeline, merge, record } from "./merge.js";

/** @typedef {import("./types").Unsent} Unsent */
/** @typedef {import("./types").Kept} Kept */

/**
 * Takes entries and their events off the device.
 * @param {import("./database.js").Tables} table
 * @param {import("./types").Entry[]} entries
 * @returns {Promise<Unsent[]>} what they were, by child; what was to be deleted leaves nothing to save
 */
export async function takeUnsent(table, entries) {
  /** @type {Map<string, Unsent>} */
  const children = new Map();
  /** @type {Map<string, Kept>} */
  const seen = new Map();
  for (const entry of entries) {
    const kept = seen.get(entry.id) ?? (await answer(table("events").get([entry.family_id, entry.id])));
    const last = asMeant(entry, kept);
    if (last) seen.set(entry.id, last);
    else seen.delete(entry.id);
  }
  for (const kept of seen.values()) {
    const child = children.get(kept.child_id) ?? (await emptyOf(table, kept.child_id));
    children.set(child.id, { ...child, events: [...child.events, inTimeline(kept)] });
  }
  for (const { seq, family_id, id } of entries) {
    table("outbox").delete(seq);
    table("events").delete([family_id, id]);
  }
  return [...children.values()];
}

/**
 * The event as the person meant it. The store does not show a change that was rejected, even if it is tried again.
 * @param {import("./types").Entry} entry @param {Kept | undefined} kept @returns {Kept | undefined}
 */
function asMeant(entry, kept) {
  if (entry.op === "delete") return undefined;
  if (entry.op === "edit" && kept) return record(kept.type, merge(kept.type, kept.event, entry.patch), kept.family_id);
  if (entry.op !== "create") return kept;
  return kept ?? record(entry.type, /** @type {any} */ ({ child_id: entry.child_id, ...entry.event }), entry.family_id);
}

/** @param {import("./database.js").Tables} table @param {string} id @returns {Promise<Unsent>} */
async function emptyOf(table, id) {
  const { name = "", date_of_birth = "" } = (await answer(table("children").get(id))) ?? {};
  return { id, name, date_of_birth, events: [] };
}

/**
 * How many events they are about.
 * @param {import("./types").Entry[]} entries
 */
export const countOf = (entries) => new Set(entries.map(({ id }) => id)).size;

/**
 * A child is not in the family any more.
 * @param {import("./database.js").Tables} table @param {string} family @param {string} id
 */
export async function takeUnsentOfChild(table, family, id) {
  /** @type {import("./types").Entry[]} */
  const all = await answer(table("outbox").index("family").getAll(family));
  const places = await Promise.all(all.map((entry) => answer(table("events").get([family, entry.id]))));
  // Somebody may have moved an event to another child since.
  const entries = all.filter((entry, at) => (entry.op !== "create" && places[at]?.child_id || entry.child_id) === id);
  if (!entries.length) return;
  const { name } = (await answer(table("children").get(id))) ?? {};
  const unsent = await takeUnsent(table, entries);
  table("notices").add({ kind: "child-gone", name, count: countOf(entries), unsent });
}
