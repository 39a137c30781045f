// What an import has made: noted as the answers come, so that it can be undone also when it was cut off; and looked up,
// also for imports of other devices.

import { forgetImport, importsOf, KEPT, keepImport } from "../store/imports.js";
import { isAsMade } from "./prepare.js";
import { contentOf } from "./rows.js";
import { isImported } from "../store/uuid.js";

/** @typedef {import("../store/store.js").Store} Store */
/** @typedef {import("../store/types").AnyEvent} AnyEvent */
/** @typedef {import("../store/imports.js").Import} Import */
/** @typedef {import("./prepare.js").Prepared} Prepared */

/** Clocks differ, and an answer may come late. */
const SLACK = 60_000;
/** After such a time without one another import begins. */
const BREAK = 15 * 60_000;
const NOTHING_NOTED = { made: new Map(), waiting: new Set() };

/** @param {string} type @param {AnyEvent} event */
const made = (type, event) =>
  ({ type, child_id: event.child_id, revision: event.revision, event: contentOf(type, event) });

/**
 * What was there before isn't this import's.
 * @param {Store} store @param {Import} one @param {Prepared[]} batch @param {import("../types/api").EventBatchAnswer["events"]} answered
 */
export async function noteAnswers(store, one, batch, answered) {
  batch.forEach(({ id, kind }, place) => {
    const event = answered[place]?.event;
    if (!event || Date.parse(event.created_at) < one.at - SLACK) return;
    one.events[id] = made(kind, event);
  });
  await keepImport(store, one);
}

/**
 * What an earlier import made is still that one's.
 * @param {Store} store @param {Import} one @param {Import[]} earlier @param {Prepared} change @param {AnyEvent} event as it is now
 */
export async function noteChange(store, one, earlier, { id, kind }, event) {
  const owner = earlier.find(({ events, isElsewhere }) => id in events && !isElsewhere) ?? one;
  owner.events[id] = made(kind, event);
  await keepImport(store, owner);
}

/** @param {Store} store @param {Import} one @param {string[]} left ids that are still to be deleted */
export async function noteUndone(store, one, left) {
  const events = Object.fromEntries(left.map((id) => [id, one.events[id]]));
  if (one.isElsewhere) return;
  if (left.length) await keepImport(store, { ...one, events });
  else await forgetImport(store, one);
}

/**
 * What imports made, by id.
 * @param {Import[]} imports
 */
export const madeBy = (imports) => new Map(imports.flatMap(({ events }) => Object.entries(events)));

/**
 * The imports of the last 30 days: those of this device as it noted them, those of others by the ids that imports make
 * and the time at which they came.
 * @param {Store} store @param {string} family @param {{type: string, event: AnyEvent}[]} here @param {number} now
 * @returns {Promise<Import[]>} the latest first
 */
export async function allImports(store, family, here, now) {
  const noted = await importsOf(store, family, now);
  const known = new Set(noted.flatMap(({ events }) => Object.keys(events)));
  const others = here.filter(({ event }) => isImported(event.id) && !known.has(event.id) && now - Date.parse(event.created_at) < KEPT)
    .sort((one, other) => one.event.created_at < other.event.created_at ? -1 : 1);
  /** @type {Map<string, Import>} */
  const last = new Map();
  /** @type {Import[]} */
  const found = [];
  for (const { type, event } of others) {
    const by = event.created_by?.name ?? "";
    const at = Date.parse(event.created_at);
    let one = last.get(by);
    if (!one || at - one.at > BREAK) {
      one = { id: event.id, family, at, by, files: [], events: {}, isElsewhere: true };
      last.set(by, one);
      found.push(one);
    }
    one.at = at;
    one.events[event.id] = made(type, event);
  }
  const unchanged = new Set(others.filter((one) => isAsMade(one.event.id, one, NOTHING_NOTED)).map(({ event }) => event.id));
  const canBeUndone = found.filter(({ events }) => Object.keys(events).some((id) => unchanged.has(id)));
  return [...noted, ...canBeUndone].sort((one, other) => other.at - one.at);
}

/**
 * What undoing an import deletes, and how many of it stay because somebody changed them. What isn't here yet, or not any
 * more, is left to the server.
 * @param {Import} one @param {Map<string, {type: string, event: AnyEvent}>} here @param {Set<string>} waiting
 */
export function undoable(one, here, waiting) {
  const all = Object.entries(one.events).map(([id, { type, child_id, revision }]) => ({ id, type, child_id, revision }));
  const made = one.isElsewhere ? NOTHING_NOTED.made : new Map(Object.entries(one.events));
  const asMade = all.filter(({ id }) => {
    const have = here.get(id);
    return !have || isAsMade(id, have, { made, waiting });
  }).map((event) => ({ ...event, revision: here.get(event.id)?.event.revision ?? event.revision }));
  return { asMade, changed: all.length - asMade.length };
}
