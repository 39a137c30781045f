// The dashboard of a child, computed on the device exactly as the server computes it: both are held to the cases of
// Tests/Fixtures/dashboard.

import { addDays, dateOf, edgesOf } from "./days.js";
import { isGone, sleepOf, startOf, totalsOf } from "./totals.js";

/** @typedef {import("./totals.js").Item} Item */
/** @typedef {{now: number | string | Date, timezone: string, dayStart: string, date?: string | null}} Asked */

const HOUR = 3_600_000;
const WEEK = 7;
const SHOWN_LAST = ["feeding", "diaper", "sleep", "medication", "temperature"];

/**
 * @param {Item[]} events of one child, in any order; may hold more than is needed
 * @param {Asked} asked `date` absent: today
 */
export function dashboard(events, asked) {
  const now = new Date(asked.now).getTime();
  const date = asked.date ?? dateOf(now, asked);
  const edges = edgesOf(date, WEEK, asked);
  const [startsAt, endsAt] = edges.slice(-2);
  const days = totalsOf(events, edges, now);
  const holdsPresent = startsAt <= now && now < endsAt;
  return {
    day: {
      date, timezone: asked.timezone,
      starts_at: new Date(startsAt).toISOString(), ends_at: new Date(endsAt).toISOString(),
    },
    totals: shownTotals(days[WEEK - 1]),
    last: lastOf(events, endsAt),
    ongoing: holdsPresent ? ongoingAt(now, events) : { feeding: null, sleep: null },
    week: days.map((day, place) => ({
      date: addDays(date, place - WEEK + 1), feedings: day.feedings, bottle_ml: day.bottleMl,
      diapers: day.diaperCount, sleep_minutes: day.sleepMinutes,
    })),
  };
}

/**
 * The oldest moment whose events a dashboard's sums need; `last` may need the latest of each kind from before it.
 * @param {Asked} asked
 */
export function neededSince(asked) {
  const now = new Date(asked.now).getTime();
  return edgesOf(asked.date ?? dateOf(now, asked), WEEK, asked)[0] - 24 * HOUR;
}

/**
 * The moment at which the day that is asked for ends.
 * @param {Asked} asked
 */
export function neededUntil(asked) {
  const now = new Date(asked.now).getTime();
  return edgesOf(asked.date ?? dateOf(now, asked), 1, asked)[1];
}

/** @param {import("./totals.js").DayTotals} day */
function shownTotals(day) {
  return {
    feedings: { count: day.feedings, bottle_ml: day.bottleMl, breast_minutes: day.breastMinutes },
    diapers: { count: day.diaperCount, ...day.diapers },
    sleep: { count: day.sleeps.length, minutes: day.sleepMinutes, longest_minutes: day.longestSleepMinutes },
    notes: { count: day.notes },
  };
}

/**
 * The latest event of each kind that begins before a moment.
 * @param {Item[]} events
 * @param {number} moment
 */
function lastOf(events, moment) {
  const before = new Date(moment).toISOString();
  /** @type {Record<string, Item | null>} */
  const latest = Object.fromEntries(SHOWN_LAST.map((kind) => [kind, null]));
  for (const item of events) {
    const known = latest[item.type];
    if (known === undefined || item.at >= before || (known && !isLater(item, known)) || isGone(item)) continue;
    latest[item.type] = item;
  }
  return Object.fromEntries(Object.entries(latest).map(([kind, item]) => [kind, item?.event ?? null]));
}

/**
 * What goes on: the sleep without an end that is younger than 24 hours, and the latest breast feeding without one of
 * the last four.
 * @param {number} now
 * @param {Item[]} events
 */
export function ongoingAt(now, events) {
  /** @type {{feeding: Item | null, sleep: Item | null}} */
  const ongoing = { feeding: null, sleep: null };
  const since = new Date(now - 24 * HOUR).toISOString();
  for (const item of events) {
    if (item.at < since || isGone(item) || item.event.ended_at) continue;
    const { type } = item;
    const goesOn = type === "sleep" ? sleepOf(item, now) !== null
      : type === "feeding" && item.event.type === "breast" && startOf(item) >= now - 4 * HOUR;
    if (!goesOn) continue;
    const kind = /** @type {"feeding" | "sleep"} */ (type);
    const known = ongoing[kind];
    if (!known || isLater(item, known)) ongoing[kind] = item;
  }
  return { feeding: ongoing.feeding?.event ?? null, sleep: ongoing.sleep?.event ?? null };
}

/**
 * In the timeline's order.
 * @param {Item} one @param {Item} other
 */
const isLater = (one, other) => one.at > other.at || (one.at === other.at && one.event.id > other.event.id);
