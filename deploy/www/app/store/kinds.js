// What this app knows of the kinds of events beside the server's description: which are under way, and for how long.

import { kinds } from "../types/kinds.js";

export { kinds };

/**
 * A newer server may have more: such events are kept and shown, and never changed here.
 * @param {string} type
 */
export const isKnown = (type) => Object.hasOwn(kinds, type);

/**
 * Whether an event of a kind can have a field. Some belong to events of one type, as `food` to solid feedings.
 * @param {string} kind @param {string} field @param {any} type the event's
 */
export const belongs = (kind, field, type) => kinds[kind].fields[field]?.types?.includes(type) ?? true;

/**
 * When an event starts or occurs, in milliseconds.
 * @param {string} type
 * @param {import("./types").Values} event
 */
export const timeOf = (type, event) => Date.parse(isKnown(type) ? event[kinds[type].time] : (event.started_at ?? event.occurred_at));

/**
 * Whether an event is under way until somebody says when it ended. Pumped milk that has been measured is over.
 * @param {string} type
 * @param {import("./types").Values} event
 */
export function isOpen(type, event) {
  if (event.ended_at) return false;
  if (type === "feeding") return event.type === "breast";
  return type === "sleep" || type === "activity" || (type === "pumping" && event.amount_ml == null);
}

const HOUR = 3_600_000;

/**
 * A sleep goes on for a day at most, anything else for four hours; then somebody forgot to say that it ended.
 * @param {{type: string, time: number, event: import("./types").Values}} one
 * @param {number} now
 */
export const isUnderWay = ({ type, time, event }, now) => isOpen(type, event) && now - time < (type === "sleep" ? 24 : 4) * HOUR;
