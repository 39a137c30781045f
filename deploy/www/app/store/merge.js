// Patches of events: made, put together, and merged.

import { belongs, described, isOpen, timeOf } from "./kinds.js";

/** @typedef {import("./types").Values} Values */

/**
 * A merge patch. A change of type takes away what the new type does not have.
 * @template {Values} Event
 * @param {string} kind
 * @param {Event} event
 * @param {Values} patch
 * @returns {Event}
 */
export function merge(kind, event, patch) {
  /** @type {Values} */
  const result = { ...event };
  if (patch.type && patch.type !== event.type) {
    for (const field of Object.keys(result)) {
      if (!belongs(kind, field, patch.type)) delete result[field];
    }
  }
  return /** @type {Event} */ (Object.assign(result, patch));
}

/**
 * A patch made of two: where the type changes, it holds what the last type has, and nothing of the others.
 * @param {string} kind
 * @param {Values} patch
 * @param {Values} after what the event has become
 */
export function together(kind, patch, after) {
  if (!patch.type) return patch;
  const result = { ...patch };
  for (const [field, { types }] of Object.entries(described(kind).fields)) {
    if (!types) continue;
    if (types.includes(after.type)) result[field] = after[field] ?? null;
    else delete result[field];
  }
  return result;
}

/**
 * What changes `before` into `after`, of these fields.
 * @param {Values} before
 * @param {Values} after
 * @param {string[]} fields
 */
export function difference(before, after, fields) {
  /** @type {Values} */
  const patch = {};
  for (const field of fields) {
    if (!same(before[field], after[field])) patch[field] = after[field] ?? null;
  }
  return patch;
}

/**
 * Whether two values mean the same on the wire: absent is null or false, and a time is a moment.
 * @param {unknown} a
 * @param {unknown} b
 */
export function same(a, b) {
  const plain = (/** @type {unknown} */ value) => (value === false ? null : (value ?? null));
  if (plain(a) === plain(b)) return true;
  if (Array.isArray(a) && Array.isArray(b)) return a.join() === b.join();
  return typeof a === "string" && typeof b === "string" && /^\d{4}-.*T/.test(a) && Date.parse(a) === Date.parse(b);
}

/** @typedef {{field: string, mine: any, theirs: any, kept: "mine" | "theirs"}} Both a field that two people changed */

/**
 * Two people changed the same event. Fields that only this device changed stay; of those both changed the later change holds.
 * @param {Values} base as this device knew it @param {Values} patch of this device @param {Values} current as the server has it
 * @param {number} editedAt
 * @returns {{patch: Values, both: Both[]}}
 */
export function rebase(base, patch, current, editedAt) {
  /** @type {Values} */
  const rest = {};
  /** @type {Both[]} */
  const both = [];
  for (const [field, mine] of Object.entries(patch)) {
    const theirs = current[field] ?? null;
    if (same(mine, theirs)) continue;
    if (same(base[field], theirs)) {
      rest[field] = mine;
      continue;
    }
    const kept = editedAt > Date.parse(current.updated_at) ? "mine" : "theirs";
    if (kept === "mine") rest[field] = mine;
    both.push({ field, mine, theirs, kept });
  }
  return { patch: rest, both };
}

/** @param {import("./types").Kept} kept one without a time is where it was made */
export const inTimeline = ({ type, time, event }) =>
  ({ type, at: new Date(time || event.created_at || 0).toISOString(), event });

/**
 * An event as the store holds it.
 * @param {string} type
 * @param {import("./types").AnyEvent} event
 * @param {string} family
 */
export function record(type, event, family) {
  /** @type {import("./types").Kept} */
  const kept = { id: event.id, child_id: event.child_id, family_id: family, type, time: timeOf(type, event), event };
  if (isOpen(type, event)) kept.open = 1;
  if (type === "plan") kept.plan = 1;
  return kept;
}
