// Cells of a table as what they mean: times, numbers, yes or no. What can't be read says why, in words for a person.

import { addDays, beginOf, momentsOf, shortest } from "../model/days.js";
import { readings, readNumber } from "../model/numbers.js";
import { say } from "../words.js";

/** What a cell of a row can't be taken for. */
export class Unreadable extends Error {}

/** What can't be told until somebody says how the file means it: which mark decimals have, say. */
export class Unclear extends Unreadable {
  /** @param {string} message @param {"decimals" | "dates" | "sides"} about */
  constructor(message, about) {
    super(message);
    this.about = about;
  }
}

const TIME = new RegExp([
  /^(?:(?<year>\d{4})[-/.](?<month>\d\d?)[-/.](?<day>\d\d?)|(?<first>\d\d?)(?<mark>[-/.])(?<second>\d\d?)[-/.](?<last>\d{4}|\d\d))/,
  /(?:(?:T|,?\s+)(?<hour>\d\d?):(?<minute>\d\d)(?::(?<seconds>\d\d)(?:\.(?<fraction>\d{1,6}))?)?(?:\s*(?<half>[ap])\.?\s?m\.?)?)?/,
  /\s*(?<offset>Z|[+-]\d\d:?\d\d)?$/,
].map(({ source }) => source).join(""), "i");

/** @typedef {{timezone: string, dayStart: string, now?: number, order?: "dmy" | "mdy" | null}} Clocks */
/** @typedef {Record<string, string>} Groups */

/**
 * The order of day and month that a date shows by itself: 25/11/2026 has one, 3/4/2026 none. Points are between days and
 * months alone.
 * @param {Groups} found @returns {"dmy" | "mdy" | null}
 */
function orderIn({ first, second, mark }) {
  if (mark === "." || Number(first) > 12) return "dmy";
  return Number(second) > 12 || Number(first) === Number(second) ? "mdy" : null;
}

/**
 * As a date shows it, where day and month come before the year.
 * @param {string} text @returns {"dmy" | "mdy" | null}
 */
export function orderOf(text) {
  const found = /** @type {Groups | undefined} */ (TIME.exec(text)?.groups);
  return found?.first && found.mark !== "." && Number(found.first) !== Number(found.second) ? orderIn(found) : null;
}

/**
 * @param {Groups} found @param {Clocks} clocks @param {{column: string, text: string}} said
 * @returns {string} YYYY-MM-DD
 */
function dateOf({ year, month, day, first, second, last, mark }, { order }, said) {
  const two = (/** @type {string} */ text) => text.padStart(2, "0");
  if (year) return `${year}-${two(month)}-${two(day)}`;
  const known = orderIn({ first, second, mark }) ?? order;
  if (!known) throw new Unclear(say("import_problem.day_or_month", said), "dates");
  const [days, months] = known === "dmy" ? [first, second] : [second, first];
  return `${last.length === 2 ? "20" : ""}${last}-${two(months)}-${two(days)}`;
}

/**
 * The hour of the day, where a clock may have twelve; null for one that no clock shows.
 * @param {Groups} found
 */
function hourOf({ hour, half }) {
  const shown = Number(hour);
  if (!half) return shown > 23 ? null : shown;
  return shown > 12 ? null : shown % 12 + (half.toLowerCase() === "p" ? 12 : 0);
}

/**
 * The moments that a time of the file's zone may mean, unless it says its own.
 * @param {string} text @param {Clocks} clocks @param {string} column
 */
function moments(text, clocks, column) {
  if (!text) throw new Unreadable(say("import_problem.none", { column }));
  const found = /** @type {Groups | undefined} */ (TIME.exec(text)?.groups);
  const unreadable = () => new Unreadable(say("import_problem.no_time", { column, text }));
  if (!found) throw unreadable();
  const { minute, seconds: second = "0", fraction = "0", offset } = found;
  const date = dateOf(found, clocks, { column, text });
  const midnight = Date.parse(`${date}T00:00:00Z`);
  // 30 February is no date, though some read it as 2 March.
  if (Number.isNaN(midnight) || addDays(date, 0) !== date) throw unreadable();
  if (found.hour === undefined) return [dayOf(date, clocks)];
  const hour = hourOf(found);
  if (hour === null || Number(minute) > 59 || Number(second) > 59) throw unreadable();
  const seconds = (hour * 60 + Number(minute)) * 60 + Number(second);
  const shown = midnight + seconds * 1000 + Math.floor(Number(`0.${fraction}`) * 1000);
  if (!offset) return momentsOf(shown, clocks.timezone);
  if (/z/i.test(offset)) return [shown];
  const minutes = Number(offset.slice(1, 3)) * 60 + Number(offset.slice(-2));
  return [shown - (offset[0] === "-" ? -minutes : minutes) * 60_000];
}

/**
 * A date without a time is taken where the person's day starts, so that it shows on that day; today, before the day
 * has started, at midnight.
 * @param {string} date @param {Clocks} clocks
 */
function dayOf(date, clocks) {
  const begin = beginOf(date, clocks);
  return begin > (clocks.now ?? Infinity) ? beginOf(date, { ...clocks, dayStart: "00:00" }) : begin;
}

/**
 * Whether a time is a date alone.
 * @param {string} text
 */
export const isDateAlone = (text) => TIME.test(text) && !text.includes(":");

/**
 * The date in a cell, YYYY-MM-DD.
 * @param {string} text @param {Clocks} clocks @param {string} column
 */
export function dayIn(text, clocks, column) {
  const found = /** @type {Groups | undefined} */ (TIME.exec(text)?.groups);
  if (!found) throw new Unreadable(text ? say("import_problem.no_date", { column, text }) : say("import_problem.none", { column }));
  return dateOf(found, clocks, { column, text });
}

/** @param {string} text @param {Clocks} clocks @param {string} column */
export const time = (text, clocks, column) => new Date(Math.max(...moments(text, clocks, column))).toISOString();

/**
 * A start and an end. In the night in which clocks change a time may be two: the shortest length is meant.
 * @param {string} start @param {string} end "" where there is none @param {Clocks} clocks
 */
export function span(start, end, clocks) {
  const starts = moments(start, clocks, "start");
  if (!end) return { started_at: new Date(Math.max(...starts)).toISOString(), ended_at: null };
  const found = shortest(starts, moments(end, clocks, "end"));
  if (!found) throw new Unreadable(say("import_problem.ends_before_start"));
  const [started_at, ended_at] = found.map((moment) => new Date(moment).toISOString());
  return { started_at, ended_at };
}

/**
 * What a number may be: its bounds, and the mark of the file's decimals where it is known.
 * @typedef {{least?: number, most?: number, mark?: "," | "." | null}} Numbers
 */

/** @param {string} text @param {string} column @param {Numbers} numbers @returns {number | null} */
export function number(text, column, { least = -Infinity, most = Infinity, mark = null } = {}) {
  if (isNothing(text)) return null;
  const both = readings(text);
  if (mark && both.length === 2) return both[/[,\u066b\uff0c]/.test(text) === (mark === ",") ? 0 : 1];
  const found = readNumber(text, least, most);
  if (found.length === 0) throw new Unreadable(say("import_problem.no_number", { column, text }));
  if (found.length === 2) {
    const [one, other] = found.map(String);
    throw new Unclear(say("import_problem.two_numbers", { column, text, one, other }), "decimals");
  }
  return found[0];
}

const WITH_UNIT = /^(.*\d[.,]?)\s*([a-z°"][a-z°. ]*)$/i;

/**
 * A number with its unit, `3,5oz`, or in the one that the file's numbers are in; kept in the first of `units`.
 * @param {string} text @param {string} column @param {Record<string, number>} units what one of each is in the first
 * @param {string} usual @param {Numbers} numbers bounds in the first unit
 */
export function quantity(text, column, units, usual, { least = -Infinity, most = Infinity, mark }) {
  const [, figure, said] = WITH_UNIT.exec(text) ?? [];
  const unit = said?.trim().replace(/\.$/, "").toLowerCase() ?? usual;
  if (!isNothing(text) && units[unit] === undefined) throw new Unreadable(say("import_problem.no_unit", { column, text }));
  const value = number(figure ?? text, column, { least: least / units[unit], most: most / units[unit], mark });
  return value === null ? null : value * units[unit];
}

/** @param {string} text */
export const isNothing = (text) => text === "" || /^(none|null|nan)$/i.test(text);

/** @param {number | null} value @param {string} column */
export function needed(value, column) {
  if (value === null) throw new Unreadable(say("import_problem.none", { column }));
  return value;
}

/** @param {string} text @param {string} column */
export function truth(text, column) {
  if (/^(1|true|t|yes|y)$/i.test(text)) return true;
  if (/^(0|false|f|no|n|)$/i.test(text)) return false;
  throw new Unreadable(say("import_problem.neither_yes_nor_no", { column, text }));
}

/** @param {number} value */
export const tenths = (value) => Math.round(value * 10) / 10;
