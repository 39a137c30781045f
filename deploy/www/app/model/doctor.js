// What a doctor asks about a range of days: what they add up to, temperatures, medicines, and notes that were marked.

import { daysBetween, edgesOf, addDays } from "./days.js";
import { nameOf } from "./doses.js";
import { dayAt, isGone, minutes, sleepOf, startOf } from "./totals.js";
import { trend } from "./trends.js";

/** @typedef {import("./totals.js").Item} Item */
/** @typedef {import("./totals.js").DayTotals} DayTotals */

/** @type {[string, (day: DayTotals) => number][]} */
const SUMS = [
  ["feedings", (day) => day.feedings], ["bottle_ml", (day) => day.bottleTenths],
  ["breast_minutes", (day) => day.breastMinutes], ["solids", (day) => day.feeds.solid],
  ["sleep_minutes", (day) => day.sleepMinutes], ["diapers", (day) => day.diaperCount],
  ["wet", (day) => day.diapers.wet + day.diapers.mixed], ["dirty", (day) => day.diapers.dirty + day.diapers.mixed],
];

/**
 * Sums are of the days that are over and known: those since the first entry of the range. What was measured, given and
 * marked is of all its days.
 * @param {Item[]} events of one child, in any order; may hold more than is needed
 * @param {{from: string, to: string, now: number, timezone: string, dayStart: string}} asked both dates included
 */
export function doctorReport(events, { from, to, now, ...person }) {
  const count = daysBetween(from, to) + 1;
  const edges = edgesOf(to, count, person);
  const dates = Array.from({ length: count }, (_, place) => addDays(from, place));
  const days = trend(events, edges, now);
  const isFull = (/** @type {number} */ place) => days[place] != null && edges[place + 1] <= now;
  const full = days.filter((_, place) => isFull(place));
  const sums = Object.fromEntries(SUMS.map(([name, value]) =>
    [name, full.reduce((sum, day) => sum + value(/** @type {DayTotals} */ (day)), 0)]));
  const range = { begin: edges[0], end: edges[count] };
  return {
    dates, edges, days, full_days: full.length, sums: { ...sums, bottle_ml: sums.bottle_ml / 10 },
    longest_sleep_minutes: longestSleep(events, now, (end) => isFull(dayAt(end, edges))),
    temperatures: within(events, "temperature", range)
      .map(({ at, event: { celsius, site } }) => ({ at, celsius, site: site ?? null })),
    medicines: medicinesIn(within(events, "medication", range)),
    notes: within(events, "note", range).filter(({ event }) => event.for_doctor === true)
      .map(({ at, event: { content } }) => ({ at, content })),
  };
}

/**
 * In whole minutes, of all of a sleep: a night has its length whatever day it is of.
 * @param {Item[]} events @param {number} now @param {(last: number) => boolean} counts
 */
function longestSleep(events, now, counts) {
  const lengths = events.flatMap((item) => {
    const sleep = item.type === "sleep" && !isGone(item) ? sleepOf(item, now) : null;
    return sleep && !sleep.running && counts(sleep.end - 1) ? sleep.end - sleep.start : [];
  });
  return minutes(Math.max(0, ...lengths));
}

/**
 * Of one kind, oldest first.
 * @param {Item[]} events @param {string} kind @param {{begin: number, end: number}} range
 */
const within = (events, kind, { begin, end }) => events
  .filter((item) => item.type === kind && !isGone(item) && startOf(item) >= begin && startOf(item) < end)
  .sort((one, other) => startOf(one) - startOf(other));

/**
 * Each medicine once, by its name as it was written last, the latest given first; its doses likewise.
 * @param {Item[]} given oldest first
 */
function medicinesIn(given) {
  /** @type {Map<string, {name: string, count: number, last: string, doses: string[]}>} */
  const found = new Map();
  for (const { at, event: { name, dose } } of [...given].reverse()) {
    const key = nameOf(name);
    const one = found.get(key) ?? { name, count: 0, last: at, doses: /** @type {string[]} */ ([]) };
    one.count += 1;
    if (dose && !one.doses.includes(dose)) one.doses.push(dose);
    found.set(key, one);
  }
  return [...found.values()];
}
