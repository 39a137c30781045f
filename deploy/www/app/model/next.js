// When the next feed and the next sleep may come, from the child's own last seven days at about this time of day: the
// middle of what was and how far it reached, never advice. The kit has the same rules: both are held to the cases of
// Tests/Fixtures/next.

import { joinFeeds } from "./trends.js";
import { isGone, sleepOf } from "./totals.js";

/** @typedef {import("./totals.js").Item} Item */
/**
 * @typedef {{since: number, gap: number}} Gap from a feed's start to the next, or from a waking to the next sleep
 * @typedef {{gap: number, at: number, from: number, to: number}} Expected the usual gap, when it ends, and between when
 */

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;
const AROUND = 3 * HOUR; // what is usual by day is not so by night
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
 * How far apart two moments are as times of day.
 * @param {number} one @param {number} other
 */
function apart(one, other) {
  const rest = Math.abs(one - other) % DAY;
  return Math.min(rest, DAY - rest);
}

/**
 * What is usual after such a moment: the median, and all but the shortest and longest twentieth. Null where the gaps are
 * too few, or the middle half of them is wider than half the median: then they mean nothing.
 * @param {Gap[]} gaps @param {number} since @param {number} now
 * @returns {Expected | null} null, too, when its time has come
 */
function usual(gaps, since, now) {
  const values = gaps.filter((one) => apart(one.since, since) <= AROUND).map(({ gap }) => gap);
  if (values.length < LEAST) return null;
  const sorted = values.sort((one, other) => one - other);
  const [from, low, gap, high, to] = [0.05, 0.25, 0.5, 0.75, 0.95].map((part) => quantile(sorted, part));
  if (high - low > gap / 2 || since + gap <= now) return null;
  return { gap, at: since + gap, from: since + from, to: since + to };
}

/**
 * @param {Item[]} events of at least eight days @param {number} now
 * @returns {Expected | null} when the next feed may begin; null where nothing can be said
 */
export function nextFeed(events, now) {
  const starts = joinFeeds(events).map(({ start }) => start).filter((start) => start <= now);
  const gaps = starts.slice(1).map((start, place) => ({ since: starts[place], gap: start - starts[place] }));
  const known = gaps.filter(({ since, gap }) => since + gap >= now - WEEK && gap < DAY);
  const last = starts.at(-1);
  return last === undefined ? null : usual(known, last, now);
}

/**
 * @param {Item[]} events of at least eight days @param {number} now
 * @returns {Expected & {since: number} | null} since when the child is awake, and when it may be sleepy; null while it
 *   sleeps, and where nothing can be said
 */
export function nextSleep(events, now) {
  const sleeps = events
    .flatMap((item) => (item.type === "sleep" && !isGone(item) && sleepOf(item, now)) || [])
    .sort((one, other) => one.start - other.start);
  if (sleeps.some(({ running }) => running)) return null;
  /** @type {Gap[]} */
  const gaps = [];
  let reached = -Infinity;
  for (const { start, end } of sleeps) {
    const gap = start - reached;
    if (gap >= ONE_SLEEP && gap < HOLE && start >= now - WEEK) gaps.push({ since: reached, gap });
    reached = Math.max(reached, end);
  }
  const found = reached <= now ? usual(gaps, reached, now) : null;
  return found && { since: reached, ...found };
}
