// Dates, times and numbers as charts write them, in the reader's language.

import { formatIn } from "../model/days.js";
import { locale, numberIn } from "../store/locale.js";
import { say } from "../words.js";

/** @type {Record<"weekday" | "initial" | "day" | "long" | "full", Intl.DateTimeFormatOptions>} */
const dates = {
  weekday: { weekday: "short" },
  initial: { weekday: "narrow" },
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
  if (hours === 0) return say("length.minutes", { minutes: rest });
  return rest === 0 ? say("length.hours", { hours }) : say("length.hours_minutes", { hours, minutes: rest });
}

/** @param {number} number @param {number} [decimals] */
export const numberText = (number, decimals = 0) => numberIn(number, decimals, true);

/**
 * An hour of the clock on an axis: 7, or 7 am where clocks have twelve hours.
 * @param {number} hour
 */
export const hourText = (hour) => format("UTC", { hour: "numeric" }).format(Date.UTC(2026, 0, 1, hour % 24));

/**
 * 5 days, 7 weeks, 14 months, 2 y 3 mo.
 * @param {number} days
 */
export function ageText(days) {
  if (days < 0) return say("age.days_before_due", { count: -days });
  if (days < 14) return say("length.days", { count: days });
  if (days < 183) return say("length.weeks", { count: Math.floor(days / 7) });
  const months = Math.floor(days / (365.25 / 12) + 1e-9);
  if (months < 24) return say("length.months", { count: months });
  const years = Math.floor(months / 12);
  return months % 12 === 0 ? say("length.years", { count: years }) : say("length.years_months", { years, months: months % 12 });
}

/** @param {number} percentile */
export function percentileText(percentile) {
  if (percentile < 1) return say("growth.below_p1");
  if (percentile > 99) return say("growth.above_p99");
  return say("growth.percentile", { percentile: Math.round(percentile) });
}

/**
 * +0.31.
 * @param {number} z
 */
export function signedText(z) {
  const figures = new Intl.NumberFormat(locale().tag, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  return `${z < -0.005 ? "−" : z >= 0.005 ? "+" : ""}${figures.format(Math.abs(z))}`;
}
