// When the next feed and the next sleep may come, from the child's own last seven days: the middle of what was, never
// advice. The server and the kit have no other rules: all are held to the cases of Tests/Fixtures/next.

import { gapsOf, joinFeeds } from "./trends.js";
import { isGone, sleepOf } from "./totals.js";

/** @typedef {import("./totals.js").Item} Item */

const HOUR = 3_600_000;
const WEEK = 7 * 24 * HOUR;
const LEAST = 8; // gaps: of fewer nobody can say what is usual
const ONE_SLEEP = 10 * 60_000; // a shorter waking is none
const HOLE = 12 * HOUR; // nobody is awake for so long: the log has a hole

/** @param {number[]} sorted @param {number} part */
function quantile(sorted, part) {
  const place = (sorted.length - 1) * part;
  const [low, high] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
  return low + (high - low) * (place % 1);
}

/**
 * The median, where the middle half of the values is no wider than half of it; null where they are too few or too far
 * apart to mean something.
 * @param {number[]} values
 */
export function usual(values) {
  if (values.length < LEAST) return null;
  const sorted = [...values].sort((one, other) => one - other);
  const median = quantile(sorted, 0.5);
  return quantile(sorted, 0.75) - quantile(sorted, 0.25) <= median / 2 ? median : null;
}

/**
 * Null where nothing can be said, and when its time has come.
 * @param {Item[]} events of at least eight days @param {number} now
 * @returns {{gap: number, at: number} | null} the usual gap between the starts of feeds, and when the next may begin
 */
export function nextFeed(events, now) {
  const [gaps] = gapsOf(events, [now - WEEK, now + 1]);
  const gap = usual(gaps);
  const last = joinFeeds(events).filter(({ start }) => start <= now).at(-1);
  return gap !== null && last && last.start + gap > now ? { gap, at: last.start + gap } : null;
}

/**
 * Null while the child sleeps, where nothing can be said, and when its time has come.
 * @param {Item[]} events of at least eight days @param {number} now
 * @returns {{since: number, gap: number, at: number} | null} since when it is awake, for how long it usually is, and
 *   when it may be sleepy
 */
export function nextSleep(events, now) {
  const sleeps = events
    .flatMap((item) => (item.type === "sleep" && !isGone(item) && sleepOf(item, now)) || [])
    .sort((one, other) => one.start - other.start);
  if (sleeps.some(({ running }) => running)) return null;
  const gaps = [];
  let reached = -Infinity;
  for (const { start, end } of sleeps) {
    const gap = start - reached;
    if (gap >= ONE_SLEEP && gap < HOLE && start >= now - WEEK) gaps.push(gap);
    reached = Math.max(reached, end);
  }
  const gap = usual(gaps);
  return gap !== null && reached <= now && reached + gap > now ? { since: reached, gap, at: reached + gap } : null;
}
