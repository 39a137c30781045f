// Dates, times and numbers as charts write them, in the reader's English.

import { formatIn } from "../model/days.js";
import { GAP, locale, numberIn } from "../store/locale.js";

/** @type {Record<"weekday" | "day" | "long" | "full", Intl.DateTimeFormatOptions>} */
const dates = {
  weekday: { weekday: "short" },
  day: { day: "numeric", month: "short" },
  long: { weekday: "short", day: "numeric", month: "short" },
  full: { day: "numeric", month: "short", year: "numeric" },
};

/** @type {Map<string, Intl.DateTimeFormat>} */
const formats = new Map();

/** @param {string} zone @param {Intl.DateTimeFormatOptions} options */
function format(zone, options) {
  const { words, hourCycle } = locale();
  const whole = options.hour ? { hourCycle, ...options } : options;
  const key = JSON.stringify([zone, words, whole]);
  let found = formats.get(key);
  if (!found) {
    found = formatIn(zone, words, whole);
    formats.set(key, found);
  }
  return found;
}

/** @param {string} date "YYYY-MM-DD" @param {keyof typeof dates} form */
export const dateText = (date, form) => format("UTC", dates[form]).format(Date.parse(`${date}T00:00:00Z`));

/** @param {number} moment @param {string} zone */
export const timeText = (moment, zone) => format(zone, { hour: "numeric", minute: "2-digit" }).format(moment);

/**
 * 9 h 20 min.
 * @param {number} minutes
 */
export function durationText(minutes) {
  const hours = Math.floor(minutes / 60);
  const rest = Math.round(minutes % 60);
  const [h, min] = [`${hours}${GAP}h`, `${rest}${GAP}min`];
  return hours === 0 ? min : rest === 0 ? h : `${h}${GAP}${min}`;
}

/** @param {number} number @param {number} [decimals] */
export const numberText = (number, decimals = 0) => numberIn(number, decimals, true);

/**
 * An hour of the clock on an axis: 7, or 7 am where clocks have twelve hours.
 * @param {number} hour
 */
export const hourText = (hour) => format("UTC", { hour: "numeric" }).format(Date.UTC(2026, 0, 1, hour % 24));

/** @param {number} count @param {string} one @param {string} [many] */
export const countText = (count, one, many = `${one}s`) => `${numberText(count)} ${count === 1 ? one : many}`;

/**
 * 5 days, 7 weeks, 14 months, 2 y 3 mo.
 * @param {number} days
 */
export function ageText(days) {
  if (days < 0) return `${countText(-days, "day")} before the due date`;
  if (days < 14) return countText(days, "day");
  if (days < 183) return countText(Math.floor(days / 7), "week");
  const months = Math.floor(days / (365.25 / 12) + 1e-9);
  if (months < 24) return countText(months, "month");
  return months % 12 === 0 ? `${months / 12} years` : `${Math.floor(months / 12)} y ${months % 12} mo`;
}

/** @param {number} percentile */
export function percentileText(percentile) {
  if (percentile < 1) return "below P1";
  if (percentile > 99) return "above P99";
  return `P${Math.round(percentile)}`;
}

/**
 * +0.31.
 * @param {number} z
 */
export const signedText = (z) => `${z < -0.005 ? "−" : z >= 0.005 ? "+" : ""}${Math.abs(z).toFixed(2)}`;
