// What this app knows of the kinds of events beside the server's description: which are under way, and for how long.

import { kinds } from "../types/kinds.js";
import { isImported } from "./uuid.js";

export { kinds };

/**
 * A plan of medicine is no event, and is kept, sent, changed and brought back as if it were. It has no time: no list of
 * events finds it.
 * @type {import("../types/api").Kind}
 */
export const plan = {
  number: -1, plural: "plans", time: "occurred_at",
  fields: {
    name: { form: "line", longest: 100, required: true },
    dose: { form: "line", longest: 50 },
    every_hours: { form: "whole", least: 1, most: 168 },
    times: { form: "line" },
    max_per_day: { form: "whole", least: 1, most: 24 },
    starts_on: { form: "line", required: true },
    ends_on: { form: "line" },
    notes: { form: "text", longest: 2000 },
  },
};

/** @param {string} type of an event, or `plan` */
export const described = (type) => (type === "plan" ? plan : kinds[type]);

/**
 * A newer server may have more: such events are kept and shown, and never changed here.
 * @param {string} type
 */
export const isKnown = (type) => type === "plan" || Object.hasOwn(kinds, type);

/**
 * Whether an event of a kind can have a field. Some belong to events of one type, as `food` to solid feedings.
 * @param {string} kind @param {string} field @param {any} type the event's
 */
export const belongs = (kind, field, type) => described(kind).fields[field]?.types?.includes(type) ?? true;

/**
 * When an event starts or occurs, in milliseconds.
 * @param {string} type
 * @param {import("./types").Values} event
 */
export const timeOf = (type, event) =>
  Date.parse(isKnown(type) ? event[described(type).time] : (event.started_at ?? event.occurred_at));

/**
 * Whether an event is under way until somebody says when it ended. Pumped milk that has been measured is over, and so is
 * what another app kept no end of: there, nothing but a sleep waits for one.
 * @param {string} type
 * @param {import("./types").Values} event
 */
export function isOpen(type, event) {
  if (event.ended_at || (type !== "sleep" && isImported(event.id))) return false;
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
