// The last days, side by side.

import { addDays, dateOf, edgesOf } from "./days.js";
import { ONE_FEED } from "./feeds.js";
import { isGone, startOf, totalsOf } from "./totals.js";

/** @typedef {import("./totals.js").Item} Item */
/** @typedef {import("./totals.js").DayTotals} DayTotals */
/** @typedef {{timezone: string, dayStart: string}} Person */

/**
 * The days to show, up to today: their dates, and where each begins and the last one ends.
 * @param {number} now @param {number} count @param {Person} person
 */
export function lastDays(now, count, person) {
  const today = dateOf(now, person);
  const dates = Array.from({ length: count }, (_, place) => addDays(today, place - count + 1));
  return { today, dates, edges: edgesOf(today, count, person) };
}

/**
 * Totals of the days; null for those before the first event: nothing is known of them.
 * @param {Item[]} events @param {number[]} edges @param {number} now
 * @returns {(DayTotals | null)[]}
 */
export function trend(events, edges, now) {
  const days = totalsOf(events, edges, now);
  const first = days.findIndex((day) => day.feedings || day.diaperCount || day.sleeps.length || day.notes || day.pumpedTenths);
  return days.map((day, place) => first === -1 || place < first ? null : day);
}

/**
 * The mean of a value over the days that are over and known; null without any. Today is still going on.
 * @param {(DayTotals | null)[]} days @param {(day: DayTotals) => number} value
 */
export function averageOf(days, value) {
  const known = days.slice(0, -1).flatMap((day) => day ?? []);
  return known.length === 0 ? null : known.reduce((sum, day) => sum + value(day), 0) / known.length;
}

const HOUR = 3_600_000;

/**
 * Feeds without solids, oldest first; what comes so soon after one's end belongs to it.
 * @param {Item[]} events @returns {{start: number, end: number}[]}
 */
export function joinFeeds(events) {
  const feeds = events
    .filter((item) => item.type === "feeding" && item.event.type !== "solid" && !isGone(item))
    .map((item) => ({ start: startOf(item), end: Date.parse(item.event.ended_at ?? item.at) }))
    .sort((one, other) => one.start - other.start);
  /** @type {{start: number, end: number}[]} */
  const joined = [];
  for (const feed of feeds) {
    const last = joined[joined.length - 1];
    if (last && feed.start - last.end <= ONE_FEED) last.end = Math.max(last.end, feed.end);
    else joined.push(feed);
  }
  return joined;
}

/**
 * The gaps between the starts of feeds, each in the day in which it ends. A gap of a day and more is one in the log.
 * @param {Item[]} events @param {number[]} edges @returns {number[][]} milliseconds
 */
export function gapsOf(events, edges) {
  /** @type {number[][]} */
  const days = edges.slice(1).map(() => []);
  let last = -Infinity;
  for (const { start } of joinFeeds(events)) {
    const day = edges.filter((edge) => edge <= start).length - 1;
    if (day >= 0 && day < days.length && start - last < 24 * HOUR) days[day].push(start - last);
    last = start;
  }
  return days;
}
