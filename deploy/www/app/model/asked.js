// What a family asks in the night: feeds in the last 24 hours, the longest sleep, and a newborn's last wet diaper.

import { dateOf, daysBetween } from "./days.js";
import { isGone, minutes, sleepOf, startOf } from "./totals.js";
import { lastDays } from "./trends.js";

/** @typedef {import("./totals.js").Item} Item */

const HOUR = 3_600_000;
/** Days after birth in which wet diapers are counted on. */
export const NEWBORN = 42;
/** How far back `askedInTheNight` looks. */
export const DAYS = 15;

/**
 * A sleep is of the week in which it ends; one that goes on lasts until now. A week is today and the six days before.
 * @param {Item[]} events of one child, in any order; may hold more than is needed
 * @param {{now: number, timezone: string, dayStart: string, born: string}} asked
 * @returns {{feeds_24h: number, longest_sleep: {this_week_minutes: number, last_week_minutes: number},
 *   wet_at: string | null}} `wet_at`: of a newborn alone
 */
export function askedInTheNight(events, { now, born, ...person }) {
  const { edges } = lastDays(now, 14, person);
  const longest = [0, 0];
  let feeds = 0;
  /** @type {Item | null} */
  let wet = null;
  for (const item of events) {
    const start = startOf(item);
    if (isGone(item) || start > now) continue;
    if (item.type === "feeding" && start > now - 24 * HOUR) feeds += 1;
    if (item.type === "sleep") {
      const sleep = sleepOf(item, now);
      const week = !sleep || sleep.end < edges[0] ? -1 : sleep.end < edges[7] ? 0 : 1;
      if (sleep && week !== -1) longest[week] = Math.max(longest[week], sleep.end - sleep.start);
    }
    const isWet = item.type === "diaper" && (item.event.type === "wet" || item.event.type === "mixed");
    if (isWet && (!wet || startOf(wet) < start)) wet = item;
  }
  const age = daysBetween(born, dateOf(now, { ...person, dayStart: "00:00" }));
  return {
    feeds_24h: feeds, longest_sleep: { this_week_minutes: minutes(longest[1]), last_week_minutes: minutes(longest[0]) },
    wet_at: age >= 0 && age < NEWBORN ? wet?.at ?? null : null,
  };
}
