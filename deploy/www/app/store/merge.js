// How changes of an event are laid over it.

import { isOpen, timeOf } from "./kinds.js";

/**
 * The fields that each type of feeding has of its own.
 * @type {Record<string, string[]>}
 */
const own = { breast: ["side"], bottle: ["amount_ml", "content"], solid: ["food"] };

/**
 * A merge patch; a feeding that changes its type loses what only the old type has.
 * @param {string} type
 * @param {any} event
 * @param {any} patch
 */
export function merge(type, event, patch) {
  const result = { ...event };
  if (type === "feeding" && patch.type && patch.type !== event.type) {
    for (const field of own[event.type] ?? []) delete result[field];
  }
  return Object.assign(result, patch);
}

/**
 * A patch made of two: of a feeding that changes its type it holds what the last type has, and nothing of the others.
 * @param {string} type
 * @param {any} patch
 * @param {any} after what the event has become
 */
export function together(type, patch, after) {
  if (type !== "feeding" || !patch.type) return patch;
  const result = { ...patch };
  for (const [owner, fields] of Object.entries(own)) {
    for (const field of fields) {
      if (owner === after.type) result[field] = after[field] ?? null;
      else delete result[field];
    }
  }
  return result;
}

/**
 * What changes `before` into `after`, of these fields.
 * @param {any} before
 * @param {any} after
 * @param {string[]} fields
 */
export function difference(before, after, fields) {
  /** @type {Record<string, any>} */
  const patch = {};
  for (const field of fields) {
    if (!same(before[field], after[field])) patch[field] = after[field] ?? null;
  }
  return patch;
}

/**
 * Whether two values mean the same on the wire: absent is null, and a time is a moment.
 * @param {any} a
 * @param {any} b
 */
export function same(a, b) {
  if ((a ?? null) === (b ?? null)) return true;
  return typeof a === "string" && typeof b === "string" && /^\d{4}-.*T/.test(a) && Date.parse(a) === Date.parse(b);
}

/**
 * Two people changed the same event. Fields that only this device changed stay; of those both changed the later change holds.
 * @param {any} base as this device knew it @param {any} patch of this device @param {any} current as the server has it
 * @param {number} editedAt
 * @returns {{patch: any, both: {field: string, mine: any, theirs: any, kept: "mine" | "theirs"}[]}}
 */
export function rebase(base, patch, current, editedAt) {
  /** @type {Record<string, any>} */
  const rest = {};
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
    both.push({ field, mine, theirs, kept: /** @type {"mine" | "theirs"} */ (kept) });
  }
  return { patch: rest, both };
}

/**
 * An event as the store holds it.
 * @param {string} type
 * @param {any} event
 * @param {string} family
 */
export function record(type, event, family) {
  /** @type {any} */
  const kept = { id: event.id, child_id: event.child_id, family_id: family, type, time: timeOf(type, event), event };
  if (isOpen(type, event)) kept.open = 1;
  return kept;
}
