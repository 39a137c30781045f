// A month of days, each with the kinds that were logged in it.

import { addDays, daysBetween, edgesOf } from "./days.js";
import { dayAt, isGone, startOf } from "./totals.js";

/** @typedef {import("./totals.js").Item} Item */
/** @typedef {{timezone: string, dayStart: string}} Person */

/** In the order of their dots. */
export const DOTS = [
  "feeding", "sleep", "diaper", "pumping", "medication", "temperature", "measurement", "note", "activity", "discard",
];

/**
 * The month before or after one, YYYY-MM.
 * @param {string} month @param {number} by
 */
export function monthsOn(month, by) {
  const [year, number] = month.split("-").map(Number);
  return new Date(Date.UTC(year, number - 1 + by, 1)).toISOString().slice(0, 7);
}

/**
 * Its dates, and where each begins and the last one ends.
 * @param {string} month YYYY-MM @param {Person} person
 */
export function datesOf(month, person) {
  const first = `${month}-01`;
  const count = daysBetween(first, `${monthsOn(month, 1)}-01`);
  const dates = Array.from({ length: count }, (_, place) => addDays(first, place));
  return { dates, edges: edgesOf(dates[count - 1], count, person) };
}

/**
 * An entry is of the day in which it begins. Kinds that only a newer version knows have no dot.
 * @param {Item[]} events of one child, in any order; may hold more than is needed
 * @param {string} month YYYY-MM @param {Person} person
 * @returns {{date: string, kinds: string[]}[]}
 */
export function monthOf(events, month, person) {
  const { dates, edges } = datesOf(month, person);
  const seen = dates.map(() => new Set());
  for (const item of events) {
    const day = isGone(item) ? -1 : dayAt(startOf(item), edges);
    if (day !== -1) seen[day].add(item.type);
  }
  return dates.map((date, place) => ({ date, kinds: DOTS.filter((kind) => seen[place].has(kind)) }));
}
