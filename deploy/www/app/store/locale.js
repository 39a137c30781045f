// How times, dates and numbers are written: as the browser's region does, dates in the language that the app speaks.

import { device } from "./account.js";
import { language } from "./language.js";

/** Between a number and its unit: what belongs together stays on one line. */
export const GAP = "\u00a0";

const LATIN = { calendar: "gregory", numberingSystem: "latn" };

/** @typedef {{tag: string, words: string, hourCycle: Intl.DateTimeFormatOptions["hourCycle"]}} Locale */
/** @type {(Locale & {asked: string, spoken: string}) | undefined} */
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
 * Words of a language in the order of the reader's region: in English "26 Nov 2026" in Germany. Where the language has
 * nothing of a region it is as most have it.
 * @param {Intl.Locale} own @param {string} language
 */
function inRegion(own, language) {
  const spoken = new Intl.Locale(language);
  if (own.language === spoken.language) return String(new Intl.Locale(own, LATIN));
  const tag = `${spoken.language}-${own.maximize().region}`;
  const isThere = new Intl.DateTimeFormat(tag).resolvedOptions().locale === tag;
  return String(new Intl.Locale(isThere ? tag : language === "en" ? "en-001" : language, LATIN));
}

/**
 * `tag` for numbers, `words` for dates, and the hours of a clock, which this device may have been told.
 * @returns {Locale}
 */
export function locale() {
  const asked = globalThis.navigator?.language ?? "en-US";
  if (known?.asked !== asked || known.spoken !== language()) {
    const own = read(asked);
    const { hourCycle = "h12" } = new Intl.DateTimeFormat(String(own), { hour: "numeric" }).resolvedOptions();
    known = {
      asked, spoken: language(), tag: String(new Intl.Locale(own, LATIN)), words: inRegion(own, language()),
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
