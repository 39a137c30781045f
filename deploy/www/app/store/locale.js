// How times, dates and numbers are written: by the browser's language and region, whatever language the words are in.

import { device } from "./account.js";

/** Between a number and its unit: what belongs together stays on one line. */
export const GAP = "\u00a0";

const LATIN = { calendar: "gregory", numberingSystem: "latn" };

/** @typedef {{tag: string, words: string, hourCycle: Intl.DateTimeFormatOptions["hourCycle"]}} Locale */
/** @type {(Locale & {asked: string}) | undefined} */
let known;

/** @param {string} asked */
function read(asked) {
  try {
    return new Intl.Locale(asked);
  } catch {
    return new Intl.Locale("en-US");
  }
}

/**
 * English words in the order of the reader's region: "26 Nov 2026" in Germany. Where there is no English of a region it
 * is the world's.
 * @param {Intl.Locale} own
 */
function english(own) {
  if (own.language === "en") return String(new Intl.Locale(own, LATIN));
  const tag = `en-${own.maximize().region}`;
  const isThere = new Intl.DateTimeFormat(tag).resolvedOptions().locale === tag;
  return String(new Intl.Locale(isThere ? tag : "en-001", LATIN));
}

/**
 * `tag` for numbers, `words` for dates, and the hours of a clock, which this device may have been told.
 * @returns {Locale}
 */
export function locale() {
  const asked = globalThis.navigator?.language ?? "en-US";
  if (known?.asked !== asked) {
    const own = read(asked);
    const { hourCycle = "h12" } = new Intl.DateTimeFormat(String(own), { hour: "numeric" }).resolvedOptions();
    known = {
      asked, tag: String(new Intl.Locale(own, LATIN)), words: english(own),
      hourCycle: /** @type {Locale["hourCycle"]} */ (hourCycle),
    };
  }
  const { clock } = device();
  return clock === "12" || clock === "24" ? { ...known, hourCycle: clock === "12" ? "h12" : "h23" } : known;
}

/** @type {Map<string, Intl.NumberFormat>} */
const numbers = new Map();

/**
 * A number without zeros that say nothing.
 * @param {number} value @param {number} [digits] after the point or comma, at most @param {boolean} [useGrouping]
 */
export function numberIn(value, digits = 1, useGrouping = false) {
  const { tag } = locale();
  const key = `${tag} ${digits} ${useGrouping}`;
  let format = numbers.get(key);
  if (!format) {
    format = new Intl.NumberFormat(tag, { maximumFractionDigits: digits, useGrouping });
    numbers.set(key, format);
  }
  return format.format(Number(value.toFixed(digits)));
}
