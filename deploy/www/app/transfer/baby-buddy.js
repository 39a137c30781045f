// Baby Buddy's CSV files: what each kind's columns mean. Columns are found by name, because exports differ by version.

import { isNothing, needed, quantity, span, tenths, time, truth, Unreadable } from "./cells.js";
import { boundsOf } from "./kinds.js";
import { COLORS, degrees, LENGTHS, notesWith, VOLUMES, WEIGHTS } from "./values.js";
import { say } from "../words.js";

/**
 * How a file's numbers and times are meant, as the person says in the preview. `mark` is that of the decimals, `order`
 * that of a date's day and month, where the files show it or the person says it; `side` that of breast feeds which don't
 * say theirs.
 * @typedef {{timezone: string, dayStart: string, now?: number, volume: "ml" | "oz", weight: "kg" | "lb" | "g",
 *   length: "cm" | "in", mark?: "," | "." | null, order?: "dmy" | "mdy" | null, side?: "left" | "right" | "both" | null}} Meaning
 */
/** @typedef {(name: string) => string} Cells gives a column's cell, trimmed; "" where there is none */

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
 * `title` is a part of its rows' ids; `says` is what a person reads for it, a name of another app aside.
 * `kind` is null where each row says its own: then `read` gives it.
 * `isCommon`: other things than babies have such columns, too. Without a child's column it is one only by its name, or
 * where a person says so.
 * @typedef {{kind: string | null, title: string, says?: import("../words.js").Id, file: RegExp,
 *   has: (columns: Set<string>) => boolean, takes: string[],
 *   isCommon?: boolean, isOwn?: boolean, read: (cell: Cells, meaning: Meaning) => Record<string, any>}} Form
 */

const HEAD = ["head_circumference", "headcircumference"];
/** @param {Set<string>} columns */
const lasts = (columns) => all("start", "end")(columns) && !columns.has("active");
/** @param {Set<string>} columns */
const flows = (columns) => columns.has("amount") && (columns.has("start") || columns.has("time"));
/** @param {string[]} names */
const all = (...names) => (/** @type {Set<string>} */ columns) => names.every((name) => columns.has(name));

/**
 * The first that fits is it.
 * @type {Form[]}
 */
export const FORMS = [
  {
    kind: "feeding", title: "Feedings", says: "import.feedings", file: /feed/, has: all("method"),
    takes: ["start", "end", "type", "method", "amount", "notes"], read: feeding,
  },
  {
    kind: "diaper", title: "Diaper changes", says: "import.diaper_changes", file: /diaper|change/, has: all("wet", "solid"),
    takes: ["time", "wet", "solid", "color", "amount", "notes"], read: diaper,
  },
  { kind: "note", title: "Notes", says: "import.notes", file: /note/, has: all("note"), takes: ["note", "time"], read: note },
  {
    kind: "temperature", title: "Temperatures", says: "import.temperatures", file: /temp/, has: all("temperature"),
    takes: ["temperature", "time", "notes"], read: temperature,
  },
  {
    kind: "medication", title: "Medicines", says: "import.medicines", file: /medic/, has: all("name", "dosage", "time"),
    takes: ["name", "dosage", "dosage_unit", "time", "notes"], read: medication,
  },
  {
    kind: "activity", title: "Tummy times", says: "import.tummy_times", file: /tummy/, has: all("milestone"),
    takes: ["start", "end", "milestone"], read: tummyTime,
  },
  {
    kind: "pumping", title: "Pumpings", says: "import.pumpings", file: /pump/, has: flows, isCommon: true,
    takes: ["start", "end", "time", "amount", "notes"], read: pumping,
  },
  {
    kind: "measurement", title: "Weights", says: "import.weights", file: /weight/, has: all("weight"),
    takes: ["weight", "value", "date", "notes"], read: measured(["weight"], "weight_g"),
  },
  {
    kind: "measurement", title: "Heights", says: "import.heights", file: /height|length/, has: all("height"),
    takes: ["height", "value", "date", "notes"], read: measured(["height"], "length_cm"),
  },
  {
    kind: "measurement", title: "Head circumferences", says: "import.heads", file: /head/,
    has: (/** @type {Set<string>} */ columns) => HEAD.some((name) => columns.has(name)),
    takes: [...HEAD, "value", "date", "notes"], read: measured(HEAD, "head_cm"),
  },
  {
    kind: "sleep", title: "Sleeps", says: "import.sleeps", file: /sleep|nap/, has: lasts, isCommon: true,
    takes: ["start", "end", "nap", "notes"], read: sleep,
  },
];

/**
 * What else a file of common columns may be, where a person says so.
 * @type {Form[]}
 */
const OTHERS = [
  {
    kind: "feeding", title: "Bottles", says: "import.bottles", file: /bottle/, has: flows,
    takes: ["start", "end", "time", "amount", "notes"], read: bottle,
  },
  {
    kind: "activity", title: "Tummy times", says: "import.tummy_times", file: /tummy/, has: lasts,
    takes: ["start", "end", "milestone", "notes"], read: tummyTime,
  },
];

/**
 * Which kinds of file this may be: one where that is sure, none of those that we know, or some of which a person says
 * the right one.
 * @param {string[]} header @param {string} fileName @returns {Form[]}
 */
export function formsOf(header, fileName) {
  const columns = new Set(header.map(columnName));
  const name = fileName.toLowerCase();
  // "value, date" is three kinds: there the file's name has to tell.
  if (columns.has("value")) return FORMS.filter(({ file, kind }) => kind === "measurement" && file.test(name)).slice(0, 1);
  if (columns.has("bmi")) return [];
  const found = FORMS.find(({ has }) => has(columns));
  if (!found) return [];
  if (!found.isCommon || found.file.test(name) || CHILD.some((column) => columns.has(column))) return [found];
  // Rows that say their type themselves are of several kinds.
  if (columns.has("type")) return [];
  const others = [...FORMS.filter(({ isCommon }) => isCommon), ...OTHERS].filter(({ has }) => has(columns));
  const named = others.find(({ file }) => file.test(name));
  return named ? [named] : others;
}

/** @param {Form} form */
export const titleOf = ({ title, says }) => (says ? say(says) : title);

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

/** @param {Cells} cell @param {Meaning} meaning */
function feeding(cell, meaning) {
  const type = cell("type").toLowerCase();
  const method = cell("method").toLowerCase();
  const event = lasting(cell, meaning);
  const extra = amountInWords(cell);
  const side = { "left breast": "left", "right breast": "right", "both breasts": "both" }[method];
  if (side) return { ...event, type: "breast", side, notes: notesWith(cell("notes"), extra) };
  if (type === "solid food" || method === "parent fed" || method === "self fed") {
    const food = type === "solid food" ? null : cell("type");
    return { ...event, type: "solid", food, notes: notesWith(cell("notes"), extra) };
  }
  if (method !== "bottle") {
    throw new Unreadable(method ? say("import_problem.method_unknown", { text: cell("method") }) : say("import_problem.none", { column: "method" }));
  }
  return {
    ...event, type: "bottle", content: CONTENTS[type] ?? "other", amount_ml: milliliters("feeding", cell, meaning),
    notes: notesWith(cell("notes")),
  };
}

/** @param {Cells} cell @param {Meaning} meaning */
function sleep(cell, meaning) {
  const nap = cell("nap");
  const type = nap === "" ? null : truth(nap, "nap") ? "nap" : "night";
  return { ...lasting(cell, meaning), type, notes: notesWith(cell("notes")) };
}

/** @param {Cells} cell @param {Meaning} meaning */
function diaper(cell, meaning) {
  const wet = truth(cell("wet"), "wet");
  const solid = truth(cell("solid"), "solid");
  const color = cell("color").toLowerCase();
  return {
    occurred_at: time(cell("time"), meaning, "time"), type: wet ? solid ? "mixed" : "wet" : solid ? "dirty" : "dry",
    color: color === "" ? null : COLORS.includes(color) ? color : "other",
    notes: notesWith(cell("notes"), amountInWords(cell)),
  };
}

/** @param {Cells} cell @param {Meaning} meaning */
function note(cell, meaning) {
  if (!cell("note")) throw new Unreadable(say("import_problem.note_empty"));
  return { occurred_at: time(cell("time"), meaning, "time"), content: cell("note") };
}

/** @param {Cells} cell @param {Meaning} meaning */
function pumping(cell, meaning) {
  const when = cell("start") ? lasting(cell, meaning) : { started_at: time(cell("time"), meaning, "time") };
  return { ...when, amount_ml: milliliters("pumping", cell, meaning), notes: notesWith(cell("notes")) };
}

/** @param {Cells} cell @param {Meaning} meaning */
function bottle(cell, meaning) {
  const { amount_ml, ...event } = pumping(cell, meaning);
  return { ...event, type: "bottle", amount_ml };
}

/** @param {Cells} cell @param {Meaning} meaning */
function medication(cell, meaning) {
  if (!cell("name")) throw new Unreadable(say("import_problem.none", { column: "name" }));
  const dosage = isNothing(cell("dosage")) ? "" : cell("dosage").replace(/^(\d+)\.0+$|^(\d+\.\d*[1-9])0+$/, "$1$2");
  const dose = dosage && [dosage, cell("dosage_unit")].filter(Boolean).join(" ");
  return {
    occurred_at: time(cell("time"), meaning, "time"), name: cell("name"), dose: dose || null, notes: notesWith(cell("notes")),
  };
}

/** @param {Cells} cell @param {Meaning} meaning */
function temperature(cell, meaning) {
  const celsius = needed(degrees(cell("temperature"), meaning.mark), "temperature");
  const at = time(cell("time"), meaning, "time");
  return { occurred_at: at, celsius: tenths(celsius), notes: notesWith(cell("notes")) };
}

/** @param {Cells} cell @param {Meaning} meaning */
function tummyTime(cell, meaning) {
  return { ...lasting(cell, meaning), name: "Tummy time", notes: notesWith(cell("milestone"), cell("notes")) };
}

/**
 * Of weight, height and head: a day without a time is taken where the person's day starts.
 * @param {string[]} columns @param {string} field
 */
function measured(columns, field) {
  return (/** @type {Cells} */ cell, /** @type {Meaning} */ meaning) => {
    const text = [...columns, "value"].map(cell).find(Boolean) ?? "";
    const [least, most] = boundsOf("measurement", field);
    const numbers = { least, most, mark: meaning.mark };
    const value = needed(field === "weight_g" ? quantity(text, "value", WEIGHTS, meaning.weight, numbers)
      : quantity(text, "value", LENGTHS, meaning.length, numbers), "value");
    return {
      occurred_at: time(cell("date"), meaning, "date"),
      [field]: field === "weight_g" ? Math.round(value) : tenths(value), notes: notesWith(cell("notes")),
    };
  };
}

/** @param {Cells} cell @param {Meaning} meaning */
const lasting = (cell, meaning) => span(cell("start"), cell("end"), meaning);

/**
 * No amount and one of nothing are alike.
 * @param {string} kind @param {Cells} cell @param {Meaning} meaning
 */
function milliliters(kind, cell, { volume, mark }) {
  const amount = quantity(cell("amount"), "amount", VOLUMES, volume, { least: 0, most: boundsOf(kind, "amount_ml")[1], mark });
  return amount ? tenths(amount) : null;
}

/**
 * An amount that we have no place for, as it is written.
 * @param {Cells} cell
 */
const amountInWords = (cell) =>
  isNothing(cell("amount")) || /^[0.,]+$/.test(cell("amount")) ? null : `Amount: ${cell("amount")}`;
