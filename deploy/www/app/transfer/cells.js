// Cells of a table as what they mean: times, numbers, yes or no. What can't be read says why, in words for a person.

import { addDays, beginOf, momentsOf, shortest } from "../model/days.js";
import { readings, readNumber } from "../model/numbers.js";

/** What a cell of a row can't be taken for. */
export class Unreadable extends Error {}

/** What can be read two ways until somebody says which mark the file's decimals have. */
export class Unclear extends Unreadable {}

const TIME = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,6}))?)?)?\s*(Z|[+-]\d\d:?\d\d)?$/i;

/** @typedef {{timezone: string, dayStart: string, now?: number}} Clocks */

/**
 * The moments that a time of the file's zone may mean, unless it says its own.
 * @param {string} text @param {Clocks} clocks @param {string} column
 */
function moments(text, clocks, column) {
  if (!text) throw new Unreadable(`there is no ${column}`);
  const found = TIME.exec(text);
  const unreadable = () => new Unreadable(`the ${column} “${text}” is no time like 2026-02-25 07:30:00`);
  if (!found) throw unreadable();
  const [, year, month, day, hour, minute, second = "0", fraction = "0", offset] = found;
  const date = `${year}-${month}-${day}`;
  const midnight = Date.parse(`${date}T00:00:00Z`);
  // 30 February is no date, though some read it as 2 March.
  if (Number.isNaN(midnight) || addDays(date, 0) !== date) throw unreadable();
  if (hour === undefined) return [dayOf(date, clocks)];
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) throw unreadable();
  const seconds = (Number(hour) * 60 + Number(minute)) * 60 + Number(second);
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
export const isDateAlone = (text) => /^\d{4}-\d\d-\d\d$/.test(text);

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
  if (!found) throw new Unreadable("it ends before it starts");
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
  if (found.length === 0) throw new Unreadable(`the ${column} “${text}” is no number`);
  if (found.length === 2) throw new Unclear(`the ${column} “${text}” can be read as ${found.join(" or ")}`);
  return found[0];
}

const WITH_UNIT = /^(.*\d[.,]?)\s*([a-z°][a-z°. ]*)$/i;

/**
 * A number with its unit, `3,5oz`, or in the one that the file's numbers are in; kept in the first of `units`.
 * @param {string} text @param {string} column @param {Record<string, number>} units what one of each is in the first
 * @param {string} usual @param {Numbers} numbers bounds in the first unit
 */
export function quantity(text, column, units, usual, { least = -Infinity, most = Infinity, mark }) {
  const [, figure, said] = WITH_UNIT.exec(text) ?? [];
  const unit = said?.trim().replace(/\.$/, "").toLowerCase() ?? usual;
  if (!isNothing(text) && units[unit] === undefined) throw new Unreadable(`the ${column} “${text}” is in no unit we know`);
  const value = number(figure ?? text, column, { least: least / units[unit], most: most / units[unit], mark });
  return value === null ? null : value * units[unit];
}

/** @param {string} text */
export const isNothing = (text) => text === "" || /^(none|null|nan)$/i.test(text);

/** @param {number | null} value @param {string} column */
export function needed(value, column) {
  if (value === null) throw new Unreadable(`there is no ${column}`);
  return value;
}

/** @param {string} text @param {string} column */
export function truth(text, column) {
  if (/^(1|true|t|yes|y)$/i.test(text)) return true;
  if (/^(0|false|f|no|n|)$/i.test(text)) return false;
  throw new Unreadable(`“${text}” under ${column} is neither yes nor no`);
}

/** @param {number} value */
export const tenths = (value) => Math.round(value * 10) / 10;
