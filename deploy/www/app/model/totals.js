// What days add up to. Feedings, diapers and notes belong to the day in which they begin; sleep is shared out.

const HOUR = 3_600_000;

/** @typedef {{type: string, at: string, event: Record<string, any>}} Item an event in the timeline's form */
/**
 * A sleep, or what of it is in a day.
 * @typedef {{start: number, end: number, id: string, running: boolean, type: string | null}} SleepPart
 */

export class DayTotals {
  feedings = 0;
  feeds = { breast: 0, bottle: 0, solid: 0 };
  /** Tenths of a millilitre: these add up exactly. */
  bottleTenths = 0;
  breastMilliseconds = 0;
  pumpedTenths = 0;
  notes = 0;
  diapers = { wet: 0, dirty: 0, mixed: 0, dry: 0 };
  /** @type {SleepPart[]} */
  sleeps = [];

  get bottleMl() { return this.bottleTenths / 10; }
  get pumpedMl() { return this.pumpedTenths / 10; }
  get breastMinutes() { return minutes(this.breastMilliseconds); }
  get diaperCount() { return this.diapers.wet + this.diapers.dirty + this.diapers.mixed + this.diapers.dry; }
  get sleepMinutes() { return minutes(lengthOfUnion(this.sleeps)); }
  get longestSleepMinutes() { return minutes(Math.max(0, ...this.sleeps.map(({ start, end }) => end - start))); }
}

/**
 * Whole minutes, rounded down.
 * @param {number} milliseconds
 */
export const minutes = (milliseconds) => Math.floor(milliseconds / 60_000);

/**
 * How long what the intervals cover together is: a child sleeps once at a time.
 * @param {{start: number, end: number}[]} intervals
 */
export function lengthOfUnion(intervals) {
  let total = 0;
  let reached = -Infinity;
  for (const { start, end } of [...intervals].sort((a, b) => a.start - b.start)) {
    total += Math.max(0, end - Math.max(start, reached));
    reached = Math.max(reached, end);
  }
  return total;
}

/** @param {Item} item */
export const startOf = (item) => Date.parse(item.at);

/**
 * A sleep as an interval; one that goes on ends now. Null for one whose end was forgotten: it began 24 hours ago or
 * more.
 * @param {Item} item
 * @param {number} now
 * @returns {SleepPart | null}
 */
export function sleepOf(item, now) {
  const start = startOf(item);
  const running = !item.event.ended_at;
  if (running && now - start >= 24 * HOUR) return null;
  const end = running ? Math.max(start, now) : Date.parse(item.event.ended_at);
  return { start, end, id: item.event.id, running, type: item.event.type ?? null };
}

/**
 * What of a sleep is between two moments. One without length is where its moment is; of others more than an end has to
 * be inside.
 * @param {SleepPart} sleep
 * @param {number} from
 * @param {number} to
 * @returns {SleepPart | null}
 */
export function clip(sleep, from, to) {
  if (sleep.start === sleep.end) return from <= sleep.start && sleep.start < to ? sleep : null;
  const start = Math.max(sleep.start, from);
  const end = Math.min(sleep.end, to);
  return start < end ? { ...sleep, start, end } : null;
}

/**
 * The totals of the days between `edges`, oldest first. Passes over what lies outside without reading more of it than
 * its time.
 * @param {Iterable<Item>} events
 * @param {number[]} edges
 * @param {number} now
 */
export function totalsOf(events, edges, now) {
  const days = Array.from({ length: edges.length - 1 }, () => new DayTotals());
  const from = new Date(edges[0] - 24 * HOUR).toISOString();
  const to = new Date(edges[edges.length - 1]).toISOString();
  for (const item of events) {
    if (item.at < from || item.at >= to || isGone(item)) continue;
    if (item.type === "sleep") addSleep(days, item, edges, now);
    else {
      const day = dayAt(startOf(item), edges);
      if (day !== -1) add(days[day], item);
    }
  }
  return days;
}

/**
 * A deleted event that a store still holds.
 * @param {Item} item
 */
export const isGone = (item) => !item.event || Boolean(item.event.deleted_at);

/** @param {DayTotals[]} days @param {Item} item @param {number[]} edges @param {number} now */
function addSleep(days, item, edges, now) {
  const sleep = sleepOf(item, now);
  if (!sleep) return;
  days.forEach((day, place) => {
    const part = clip(sleep, edges[place], edges[place + 1]);
    if (part) day.sleeps.push(part);
  });
}

/**
 * The place of the day that holds a moment, −1 for none.
 * @param {number} moment @param {number[]} edges
 */
export function dayAt(moment, edges) {
  if (moment < edges[0] || moment >= edges[edges.length - 1]) return -1;
  let low = 0;
  let high = edges.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (edges[middle] <= moment) low = middle;
    else high = middle;
  }
  return low;
}

/**
 * How long a breast feed was: the minutes at the sides where they are given, without pauses; else from start to end.
 * @param {Item["event"]} event @param {string} at
 */
function breastLength({ left_minutes: left, right_minutes: right, ended_at }, at) {
  if (left != null || right != null) return ((left ?? 0) + (right ?? 0)) * 60_000;
  return ended_at ? Date.parse(ended_at) - Date.parse(at) : 0;
}

/** @param {DayTotals} day @param {Item} item */
function add(day, { type, at, event }) {
  if (type === "feeding") {
    day.feedings += 1;
    if (event.type in day.feeds) day.feeds[/** @type {"solid"} */ (event.type)] += 1;
    if (event.type === "bottle") day.bottleTenths += Math.round((event.amount_ml ?? 0) * 10);
    if (event.type === "breast") day.breastMilliseconds += breastLength(event, at);
  } else if (type === "diaper") {
    if (event.type in day.diapers) day.diapers[/** @type {"wet"} */ (event.type)] += 1;
  } else if (type === "pumping") day.pumpedTenths += Math.round((event.amount_ml ?? 0) * 10);
  else if (type === "note") day.notes += 1;
}
