// Cells of a table as what they mean: times, numbers, yes or no. What can't be read says why, in words for a person.

import { addDays, beginOf, momentOf } from "../model/days.js";

/** What a cell of a row can't be taken for. */
export class Unreadable extends Error {}

const TIME = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,6}))?)?)?\s*(Z|[+-]\d\d:?\d\d)?$/i;

/**
 * A time of the file's zone, unless it says its own.
 * @param {string} text @param {{timezone: string, dayStart: string}} meaning @param {string} column
 */
export function time(text, meaning, column) {
  if (!text) throw new Unreadable(`there is no ${column}`);
  const found = TIME.exec(text);
  const unreadable = () => new Unreadable(`the ${column} “${text}” is no time like 2026-02-25 07:30:00`);
  if (!found) throw unreadable();
  const [, year, month, day, hour, minute, second = "0", fraction = "0", offset] = found;
  const date = `${year}-${month}-${day}`;
  const midnight = Date.parse(`${date}T00:00:00Z`);
  // 30 February is no date, though some read it as 2 March.
  if (Number.isNaN(midnight) || addDays(date, 0) !== date) throw unreadable();
  if (hour === undefined) return new Date(beginOf(date, meaning)).toISOString();
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) throw unreadable();
  const seconds = (Number(hour) * 60 + Number(minute)) * 60 + Number(second);
  const shown = midnight + seconds * 1000 + Math.floor(Number(`0.${fraction}`) * 1000);
  if (!offset) return new Date(momentOf(shown, meaning.timezone)).toISOString();
  if (/z/i.test(offset)) return new Date(shown).toISOString();
  const minutes = Number(offset.slice(1, 3)) * 60 + Number(offset.slice(-2));
  return new Date(shown - (offset[0] === "-" ? -minutes : minutes) * 60_000).toISOString();
}

/** @param {string} text @param {string} column @returns {number | null} */
export function number(text, column) {
  if (text === "" || /^(none|null|nan)$/i.test(text)) return null;
  const value = Number(/^-?\d+,\d+$/.test(text) ? text.replace(",", ".") : text);
  if (!Number.isFinite(value)) throw new Unreadable(`the ${column} “${text}” is no number`);
  return value;
}

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
