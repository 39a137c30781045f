// Dates, times and numbers as charts write them, in the reader's English.

import { formatIn } from "../model/days.js";

const wished = globalThis.navigator?.language ?? "en";
const language = wished.startsWith("en") ? wished : "en";
/** @param {Intl.DateTimeFormatOptions} options */
const inUTC = (options) => new Intl.DateTimeFormat(language, { ...options, timeZone: "UTC" });
const formats = {
  weekday: inUTC({ weekday: "short" }),
  day: inUTC({ day: "numeric", month: "short" }),
  long: inUTC({ weekday: "short", day: "numeric", month: "short" }),
  hour: inUTC({ hour: "numeric" }),
  full: inUTC({ day: "numeric", month: "short", year: "numeric" }),
};

/** @param {string} date "YYYY-MM-DD" @param {keyof typeof formats} form */
export const dateText = (date, form) => formats[form].format(Date.parse(`${date}T00:00:00Z`));

/** @type {Map<string, Intl.DateTimeFormat>} */
const clocks = new Map();

/** @param {number} moment @param {string} zone */
export function timeText(moment, zone) {
  let clock = clocks.get(zone);
  if (!clock) {
    clock = formatIn(zone, language, { hour: "numeric", minute: "2-digit" });
    clocks.set(zone, clock);
  }
  return clock.format(moment);
}

/**
 * 9 h 20 min.
 * @param {number} minutes
 */
export function durationText(minutes) {
  const hours = Math.floor(minutes / 60);
  const rest = Math.round(minutes % 60);
  return hours === 0 ? `${rest} min` : rest === 0 ? `${hours} h` : `${hours} h ${rest} min`;
}

/** @param {number} number @param {number} [decimals] */
export const numberText = (number, decimals = 0) =>
  new Intl.NumberFormat(language, { maximumFractionDigits: decimals }).format(number);

/**
 * An hour of the clock on an axis: 7, or 7 am where clocks have twelve hours.
 * @param {number} hour
 */
export const hourText = (hour) => formats.hour.format(Date.UTC(2026, 0, 1, hour % 24));

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
