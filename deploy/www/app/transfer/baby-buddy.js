// Baby Buddy's CSV files: what each kind's columns mean. Columns are found by name, because exports differ by version.

import { needed, number, tenths, time, truth, Unreadable } from "./cells.js";

/**
 * How a file's numbers and times are meant, as the person says in the preview.
 * @typedef {{timezone: string, dayStart: string, volume: "ml" | "oz", weight: "kg" | "lb" | "g",
 *   length: "cm" | "in"}} Meaning
 */
/** @typedef {(name: string) => string} Cells gives a column's cell, trimmed; "" where there is none */

const OUNCE = 29.5735295625;
const POUND = 453.59237;
const INCH = 2.54;

/**
 * "child-first name" and "Child First Name" are one.
 * @param {string} header
 */
export const columnName = (header) => header.trim().toLowerCase().replace(/[\s-]+/g, "_");

const CHILD = ["child_id", "child", "child_first_name", "child_last_name"];
/** Columns that say nothing of their own. */
const SILENT = ["id", "duration"];

/**
 * A kind of file: `has` tells it by its columns, `file` by the file's name, `takes` lists the columns that are taken.
 * @typedef {{kind: string, title: string, file: RegExp, has: (columns: Set<string>) => boolean, takes: string[],
 *   read: (cell: Cells, meaning: Meaning) => Record<string, any>}} Form
 */

const HEAD = ["head_circumference", "headcircumference"];
/** @param {string[]} names */
const all = (...names) => (/** @type {Set<string>} */ columns) => names.every((name) => columns.has(name));

/**
 * The first that fits is it.
 * @type {Form[]}
 */
export const FORMS = [
  {
    kind: "feeding", title: "Feedings", file: /feed/, has: all("method"),
    takes: ["start", "end", "type", "method", "amount", "notes"], read: feeding,
  },
  {
    kind: "diaper", title: "Diaper changes", file: /diaper|change/, has: all("wet", "solid"),
    takes: ["time", "wet", "solid", "color", "amount", "notes"], read: diaper,
  },
  { kind: "note", title: "Notes", file: /note/, has: all("note"), takes: ["note", "time"], read: note },
  {
    kind: "temperature", title: "Temperatures", file: /temp/, has: all("temperature"),
    takes: ["temperature", "time", "notes"], read: temperature,
  },
  {
    kind: "activity", title: "Tummy times", file: /tummy/, has: all("milestone"),
    takes: ["start", "end", "milestone"], read: tummyTime,
  },
  {
    kind: "pumping", title: "Pumpings", file: /pump/, has: all("amount"),
    takes: ["start", "end", "time", "amount", "notes"], read: pumping,
  },
  {
    kind: "measurement", title: "Weights", file: /weight/, has: all("weight"),
    takes: ["weight", "value", "date", "notes"], read: measured(["weight"], "weight_g"),
  },
  {
    kind: "measurement", title: "Heights", file: /height|length/, has: all("height"),
    takes: ["height", "value", "date", "notes"], read: measured(["height"], "length_cm"),
  },
  {
    kind: "measurement", title: "Head circumferences", file: /head/,
    has: (/** @type {Set<string>} */ columns) => HEAD.some((name) => columns.has(name)),
    takes: [...HEAD, "value", "date", "notes"], read: measured(HEAD, "head_cm"),
  },
  {
    kind: "sleep", title: "Sleeps", file: /sleep|nap/,
    has: (/** @type {Set<string>} */ columns) => all("start", "end")(columns) && !columns.has("active"),
    takes: ["start", "end", "nap", "notes"], read: sleep,
  },
];

/**
 * Which kind of file this is.
 * @param {string[]} header @param {string} fileName
 */
export function formOf(header, fileName) {
  const columns = new Set(header.map(columnName));
  const name = fileName.toLowerCase();
  // "value, date" is three kinds: there the file's name has to tell.
  if (columns.has("value")) return FORMS.find(({ file, kind }) => kind === "measurement" && file.test(name)) ?? null;
  if (columns.has("bmi")) return null;
  return FORMS.find(({ has }) => has(columns)) ?? null;
}

/**
 * Columns of a file that are not taken.
 * @param {Form} form @param {string[]} header
 */
export const columnsLeft = (form, header) =>
  header.filter((name) => ![...form.takes, ...CHILD, ...SILENT].includes(columnName(name)));

/**
 * How a row names its child; "" where the file has no column for it.
 * @param {Cells} cell
 */
export const childOf = (cell) =>
  [cell("child_first_name"), cell("child_last_name")].filter(Boolean).join(" ") || cell("child") || cell("child_id");

/** @type {Record<string, string>} */
const CONTENTS = { "breast milk": "breast_milk", formula: "formula", "fortified breast milk": "mixed" };
const COLORS = ["yellow", "brown", "green", "black", "red", "white"];

/** @param {Cells} cell @param {Meaning} meaning */
function feeding(cell, meaning) {
  const type = cell("type").toLowerCase();
  const method = cell("method").toLowerCase();
  const event = span(cell, meaning);
  const amount = number(cell("amount"), "amount");
  const extra = amount && `Amount: ${amount}`;
  const side = { "left breast": "left", "right breast": "right", "both breasts": "both" }[method];
  if (side) return { ...event, type: "breast", side, notes: notesWith(cell("notes"), extra) };
  if (type === "solid food" || method === "parent fed" || method === "self fed") {
    const food = type === "solid food" ? null : cell("type");
    return { ...event, type: "solid", food, notes: notesWith(cell("notes"), extra) };
  }
  if (method !== "bottle") {
    throw new Unreadable(method ? `the method “${cell("method")}” is none we know` : "there is no method");
  }
  return {
    ...event, type: "bottle", content: CONTENTS[type] ?? "other", amount_ml: milliliters(amount, meaning),
    notes: notesWith(cell("notes")),
  };
}

/** @param {Cells} cell @param {Meaning} meaning */
function sleep(cell, meaning) {
  const nap = cell("nap");
  const type = nap === "" ? null : truth(nap, "nap") ? "nap" : "night";
  return { ...span(cell, meaning), type, notes: notesWith(cell("notes")) };
}

/** @param {Cells} cell @param {Meaning} meaning */
function diaper(cell, meaning) {
  const wet = truth(cell("wet"), "wet");
  const solid = truth(cell("solid"), "solid");
  const color = cell("color").toLowerCase();
  const amount = number(cell("amount"), "amount");
  return {
    occurred_at: time(cell("time"), meaning, "time"), type: wet ? solid ? "mixed" : "wet" : solid ? "dirty" : "dry",
    color: color === "" ? null : COLORS.includes(color) ? color : "other",
    notes: notesWith(cell("notes"), amount && `Amount: ${amount}`),
  };
}

/** @param {Cells} cell @param {Meaning} meaning */
function note(cell, meaning) {
  if (!cell("note")) throw new Unreadable("the note is empty");
  return { occurred_at: time(cell("time"), meaning, "time"), content: cell("note") };
}

/** @param {Cells} cell @param {Meaning} meaning */
function pumping(cell, meaning) {
  const when = cell("start") ? span(cell, meaning) : { started_at: time(cell("time"), meaning, "time") };
  const amount = number(cell("amount"), "amount");
  return { ...when, amount_ml: milliliters(amount, meaning), notes: notesWith(cell("notes")) };
}

/** @param {Cells} cell @param {Meaning} meaning */
function temperature(cell, meaning) {
  const value = needed(number(cell("temperature"), "temperature"), "temperature");
  const celsius = value > 45 ? (value - 32) * 5 / 9 : value;
  const at = time(cell("time"), meaning, "time");
  return { occurred_at: at, celsius: tenths(celsius), notes: notesWith(cell("notes")) };
}

/** @param {Cells} cell @param {Meaning} meaning */
function tummyTime(cell, meaning) {
  return { ...span(cell, meaning), name: "Tummy time", notes: notesWith(cell("milestone")) };
}

/**
 * Of weight, height and head: a day without a time is taken where the person's day starts.
 * @param {string[]} columns @param {string} field
 */
function measured(columns, field) {
  return (/** @type {Cells} */ cell, /** @type {Meaning} */ meaning) => {
    const text = [...columns, "value"].map(cell).find(Boolean) ?? "";
    const value = needed(number(text, "value"), "value");
    const taken = {
      weight_g: Math.round(value * { kg: 1000, lb: POUND, g: 1 }[meaning.weight]),
      length_cm: tenths(value * (meaning.length === "in" ? INCH : 1)),
    };
    return {
      occurred_at: time(cell("date"), meaning, "date"),
      [field]: field === "weight_g" ? taken.weight_g : taken.length_cm, notes: notesWith(cell("notes")),
    };
  };
}

/** @param {Cells} cell @param {Meaning} meaning */
const span = (cell, meaning) => ({
  started_at: time(cell("start"), meaning, "start"), ended_at: cell("end") ? time(cell("end"), meaning, "end") : null,
});

/**
 * No amount and one of nothing are alike.
 * @param {number | null} amount @param {Meaning} meaning
 */
const milliliters = (amount, meaning) => amount ? tenths(meaning.volume === "oz" ? amount * OUNCE : amount) : null;

/** @param {(string | number | null)[]} parts */
const notesWith = (...parts) => parts.filter(Boolean).join("\n") || null;
