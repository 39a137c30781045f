// A child's weight, length and head against the WHO Child Growth Standards, 0 to 5 years.

import { clockTime, daysBetween } from "./days.js";

/** @typedef {"boy" | "girl"} Sex */
/** @typedef {"weight" | "length" | "head"} Measure */
/** @typedef {{l: number, m: number, s: number}} LMS */
/** @typedef {Record<Measure, Record<"l" | "m" | "s", number[]>>} Tables what a day's place gives */
/** @typedef {{days: number, boy: Tables, girl: Tables}} Standard */
/**
 * A measurement beside the standard. `day` is the age that counts: corrected where a child was born early, until two
 * years.
 * `z` and `percentile` are null where there is no standard: before the due date, and after five years.
 * @typedef {{id: string, at: string, date: string, value: number, born: number, day: number, corrected: boolean,
 *   z: number | null, percentile: number | null}} Point
 */

/** @type {Record<Measure, {field: string, factor: number}>} */
export const MEASURES = {
  weight: { field: "weight_g", factor: 0.001 },
  length: { field: "length_cm", factor: 1 },
  head: { field: "head_cm", factor: 1 },
};

/** The curves that are drawn, by the z-score of their percentile. */
export const CURVES = [
  { name: "P3", z: -1.8807936081512509 },
  { name: "P15", z: -1.0364333894937896 },
  { name: "P50", z: 0 },
  { name: "P85", z: 1.0364333894937896 },
  { name: "P97", z: 1.8807936081512509 },
];

const SCALES = { l: 1e4, m: 1e4, s: 1e5 };
/** Days after which length is measured standing, and age is no longer corrected. */
export const TWO_YEARS = 731;
const FULL_TERM = 280;
const PRETERM = 37 * 7;

/**
 * Adds up what who-growth.json keeps as differences from day to day.
 * @param {any} data @returns {Standard}
 */
export function decode(data) {
  const sum = (/** @type {number[]} */ steps, /** @type {number} */ scale) => {
    let value = 0;
    return steps.map((step) => (value += step) / scale);
  };
  const tables = (/** @type {any} */ its) => Object.fromEntries(Object.keys(MEASURES).map((measure) => [
    measure, Object.fromEntries(Object.entries(SCALES).map(([key, scale]) => [key, sum(its[measure][key], scale)])),
  ]));
  return /** @type {any} */ ({ days: data.days, boy: tables(data.boy), girl: tables(data.girl) });
}

/** @type {Promise<Standard> | null} */
let loading = null;

/** The tables, fetched once and only by who looks at growth. */
export function loadStandard() {
  loading ??= fetch(new URL("./who-growth.json", import.meta.url)).then(async (answer) => {
    if (!answer.ok) throw new Error(`the growth tables: ${answer.status}`);
    return decode(await answer.json());
  });
  loading.catch(() => { loading = null; });
  return loading;
}

/**
 * The standard at an age in days; between two days, which only curves and tables by month ask for, on the line that
 * joins them.
 * @param {Standard} standard @param {Sex} sex @param {Measure} measure @param {number} day
 * @returns {LMS | null} null outside 0 to 5 years
 */
export function lmsAt(standard, sex, measure, day) {
  if (!(day >= 0 && day <= standard.days - 1)) return null;
  const table = standard[sex][measure];
  const before = Math.floor(day);
  const part = day - before;
  const at = (/** @type {"l" | "m" | "s"} */ key) => part === 0 ? table[key][before]
    : table[key][before] * (1 - part) + table[key][before + 1] * part;
  return { l: at("l"), m: at("m"), s: at("s") };
}

/**
 * The measurement that has a z-score.
 * @param {LMS} lms @param {number} z
 */
export const valueAt = ({ l, m, s }, z) => l === 0 ? m * Math.exp(s * z) : m * (1 + l * s * z) ** (1 / l);

/**
 * The z-score of a measurement. Of weights beyond 3 it goes on in equal steps, the distance from 2 to 3: WHO's
 * restricted application of the LMS method. (Lengths and heads are normally distributed; there both are the same.)
 * @param {LMS} lms @param {number} value @param {Measure} measure
 */
export function zScore(lms, value, measure) {
  const { l, m, s } = lms;
  const z = l === 0 ? Math.log(value / m) / s : ((value / m) ** l - 1) / (l * s);
  if (measure !== "weight" || Math.abs(z) <= 3) return z;
  const side = Math.sign(z);
  const third = valueAt(lms, 3 * side);
  return side * 3 + (value - third) / Math.abs(third - valueAt(lms, 2 * side));
}

/**
 * The share of children below a z-score, in percent: the normal distribution, to seven digits.
 * @param {number} z
 */
export function percentileOf(z) {
  // Abramowitz and Stegun, 26.2.17.
  const t = 1 / (1 + 0.2316419 * Math.abs(z));
  const tail = Math.exp(-z * z / 2) / Math.sqrt(2 * Math.PI)
    * t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return 100 * (z > 0 ? 1 - tail : tail);
}

/**
 * How many days too early a child was born; 0 unless that was before 37 weeks.
 * @param {string} born @param {string | null | undefined} due
 */
export function daysEarly(born, due) {
  const early = due ? daysBetween(born, due) : 0;
  return early > FULL_TERM - PRETERM && early < FULL_TERM ? early : 0;
}

/**
 * What was measured of a child, oldest first, of one measure.
 * @param {{type: string, at: string, event: any}[]} events
 * @param {Measure} measure
 * @param {{child: {date_of_birth: string}, timezone: string, sex: Sex, due?: string | null, standard: Standard}} asked
 * @returns {Point[]}
 */
export function pointsOf(events, measure, { child, timezone, sex, due, standard }) {
  const { field, factor } = MEASURES[measure];
  const early = daysEarly(child.date_of_birth, due);
  return events
    .filter(({ type, event }) => type === "measurement" && event && !event.deleted_at && event[field] != null)
    .map(({ at, event }) => {
      const date = new Date(clockTime(Date.parse(at), timezone)).toISOString().slice(0, 10);
      const born = daysBetween(child.date_of_birth, date);
      const corrected = early > 0 && born < TWO_YEARS;
      const day = corrected ? born - early : born;
      const value = event[field] * factor;
      const lms = lmsAt(standard, sex, measure, day);
      const z = lms && zScore(lms, value, measure);
      const percentile = z === null ? null : percentileOf(z);
      return { id: event.id, at, date, value, born, day, corrected, z, percentile };
    })
    .sort((one, other) => one.at < other.at ? -1 : one.at > other.at ? 1 : 0);
}
