// Numbers and times for people: in their units and in the account's time zone.

import { say } from "../words.js";
import { device } from "../store/account.js";
import { addDays, formatIn } from "../model/days.js";
import { now } from "../store/clock.js";
import { GAP, locale, numberIn } from "../store/locale.js";

/** @typedef {"volume" | "weight" | "length" | "temperature"} Quantity */
/**
 * Whether this device shows a quantity as the United States do.
 * @param {Quantity} quantity
 */
export function isUS(quantity) {
  const { us, units } = device();
  return us ? us.includes(quantity) : units === "us";
}

const OUNCE = 29.5735;
/** @param {number} ml */
export const amount = (ml) => 
  isUS("volume") ? say("unit.fl_oz", { number: numberIn(ml / OUNCE) }) : say("unit.ml", { number: numberIn(ml) });
/**
 * What is stored for a number in the device's unit.
 * @param {number} value
 */
export const toMl = (value) => (isUS("volume") ? Math.round(value * OUNCE * 10) / 10 : value);
/** @param {number} ml */
export const fromMl = (ml) => (isUS("volume") ? Number((ml / OUNCE).toFixed(1)) : ml);
export const volumeUnit = () => (isUS("volume") ? say("unit.name.fl_oz") : say("unit.name.ml"));

/** Grams. */
export const POUND = 453.59237;
/** @param {number} grams */
export function weight(grams) {
  if (!isUS("weight")) return say("unit.kg", { number: numberIn(grams / 1000, 3) });
  const ounces = Math.round((grams / POUND) * 160) / 10;
  return say("unit.lb_oz", { pounds: Math.floor(ounces / 16), ounces: numberIn(ounces % 16) });
}
/** @param {number} cm */
export const length = (cm) =>
  isUS("length") ? say("unit.in", { number: numberIn(cm / 2.54) }) : say("unit.cm", { number: numberIn(cm) });
/** @param {number} celsius */
export const temperatureShown = (celsius) => (isUS("temperature") ? (celsius * 9) / 5 + 32 : celsius);
/** @param {number} celsius */
export const temperature = (celsius) =>
  say(isUS("temperature") ? "unit.fahrenheit" : "unit.celsius", { number: numberIn(temperatureShown(celsius)) });

let zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
/** @type {Map<string, Intl.DateTimeFormat>} */
const forms = new Map();

/**
 * Everything is shown in the account's zone, wherever the device is.
 * @param {string} name
 */
export function setZone(name) {
  if (name === zone) return;
  zone = name;
  forms.clear();
}
export const currentZone = () => zone;

/** @param {Intl.DateTimeFormatOptions} options */
function form(options) {
  const { words, hourCycle } = locale();
  const whole = options.hour ? { hourCycle, ...options } : options;
  const key = JSON.stringify([words, whole]);
  let found = forms.get(key);
  if (!found) {
    found = formatIn(zone, words, whole);
    forms.set(key, found);
  }
  return found;
}

const clock = () => form({ hour: "numeric", minute: "2-digit" });
/**
 * A time of day without a date.
 * @param {string} time HH:MM
 */
export function timeText(time) {
  const { words, hourCycle } = locale();
  const format = new Intl.DateTimeFormat(words, { hour: "numeric", minute: "2-digit", hourCycle, timeZone: "UTC" });
  return inOneLine(format.format(new Date(`1970-01-01T${time}:00Z`)));
}
/** @param {string} text */
const inOneLine = (text) => text.replace(/ /g, GAP);
/** @param {string | number | Date} time */
export const clockText = (time) => inOneLine(clock().format(new Date(time)));
/**
 * "1:07–1:17 PM"; from one date to the next, both in full.
 * @param {string | number | Date} start @param {string | number | Date} end
 */
export function rangeText(start, end) {
  if (dateOf(start) !== dateOf(end)) return `${clockText(start)}–${clockText(end)}`;
  return inOneLine(clock().formatRange(new Date(start), new Date(end)).replace(/\s*[–-]\s*/, "–"));
}

/** @param {string | number | Date} time */
export const dateText = (time) => form({ month: "short", day: "numeric", year: "numeric" }).format(new Date(time));
/** @param {string | number | Date} time */
export const momentText = (time) => 
  say("time.moment", { date: form({ weekday: "short", month: "short", day: "numeric" }).format(new Date(time)), time: clockText(time) });

/**
 * A date without a zone, as of birth.
 * @param {string} date YYYY-MM-DD
 */
export const plainDate = (date) =>
  new Intl.DateTimeFormat(locale().words, {
    month: "short", day: "numeric", year: "numeric", timeZone: "UTC",
  }).format(new Date(`${date}T00:00:00Z`));

/**
 * The calendar date of a moment in the account's zone, YYYY-MM-DD.
 * @param {string | number | Date} time
 */
export function dateOf(time) {
  const parts = Object.fromEntries(
    form({ year: "numeric", month: "2-digit", day: "2-digit" }).formatToParts(new Date(time)).map(({ type, value }) => [type, value]),
  );
  return `${parts.year}-${parts.month}-${parts.day}`;
}

/** @param {string} date YYYY-MM-DD @param {string} today */
export function dayText(date, today) {
  if (date === today) return say("common.today");
  if (date === addDays(today, -1)) return say("common.yesterday");
  const isThisYear = date.slice(0, 4) === today.slice(0, 4);
  return new Intl.DateTimeFormat(locale().words, {
    weekday: "long", month: "long", day: "numeric", year: isThisYear ? undefined : "numeric", timeZone: "UTC",
  }).format(new Date(`${date}T00:00:00Z`));
}

/**
 * "2 h 10 min".
 * @param {number} milliseconds
 */
export function span(milliseconds) {
  const minutes = Math.max(0, Math.floor(milliseconds / 60_000));
  if (minutes < 60) return say("length.minutes", { minutes });
  if (minutes >= 2_880) return say("length.days", { count: Math.floor(minutes / 1_440) });
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return rest ? say("length.hours_minutes", { hours, minutes: rest }) : say("length.hours", { hours });
}
/**
 * "20 h 17 min ago", which stays on one line.
 * @param {string | number} time @param {number} [at]
 */
export function ago(time, at = now()) {
  const passed = at - +new Date(time);
  return passed < 60_000 ? say("length.just_now") : say("length.ago", { length: span(passed) });
}

/**
 * A running clock: 0:07:31.
 * @param {number} milliseconds
 */
export function ticking(milliseconds) {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const two = (/** @type {number} */ value) => String(value).padStart(2, "0");
  const hours = Math.floor(seconds / 3_600);
  return `${hours ? `${hours}:` : ""}${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}

/**
 * For an input of type datetime-local.
 * @param {string | number} time
 */
export function toInput(time) {
  const parts = Object.fromEntries(
    form({ hour: "2-digit", minute: "2-digit", hourCycle: "h23" }).formatToParts(new Date(time)).map(({ type, value }) => [type, value]),
  );
  return `${dateOf(time)}T${parts.hour}:${parts.minute}`;
}

/**
 * The moment that an input of type datetime-local means in the account's zone.
 * @param {string} text
 */
export function fromInput(text) {
  const wanted = Date.parse(`${text}Z`);
  let guess = wanted;
  for (let round = 0; round < 2; round += 1) guess += wanted - Date.parse(`${toInput(guess)}Z`);
  return guess;
}

/**
 * "4 months".
 * @param {string} born YYYY-MM-DD
 */
export function age(born) {
  const days = Math.floor((Date.parse(dateOf(now())) - Date.parse(born)) / 86_400_000);
  if (days < 0) return say("age.due", { date: plainDate(born) });
  if (days < 14) return say("age.days", { count: days });
  if (days < 92) return say("age.weeks", { count: Math.floor(days / 7) });
  const [y, m, d] = dateOf(now()).split("-").map(Number);
  const [by, bm, bd] = born.split("-").map(Number);
  const months = (y - by) * 12 + m - bm - (d < bd ? 1 : 0);
  return months < 24 ? say("age.months", { count: months }) : say("age.years", { count: Math.floor(months / 12) });
}
