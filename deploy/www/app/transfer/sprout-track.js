// Sprout Track's activity log, as the full timeline of 1.6.3 exports it in English: dates as in the United States, the
// day once, then clocks of twelve hours.

import { addDays } from "../model/days.js";
import { dayIn, needed, quantity, span, tenths, time, Unclear, Unreadable } from "./cells.js";
import { boundsOf } from "./kinds.js";
import { colorOf, degrees, measure, named, notesWith, VOLUMES } from "./values.js";
import { say } from "../words.js";

/** @typedef {import("./baby-buddy.js").Cells} Cells */
/** @typedef {import("./baby-buddy.js").Meaning} Meaning */

const COLUMNS = [
  "date", "time", "activity_type", "sub_type", "start_time", "end_time", "amount", "unit", "details", "notes",
];

/** @type {import("./baby-buddy.js").Form} */
export const SPROUT_TRACK = {
  kind: null, title: "Sprout Track", file: /^$/, takes: COLUMNS, read,
  has: (columns) => COLUMNS.every((name) => columns.has(name)),
};

/** @type {Record<string, (cell: Cells, meaning: Meaning) => Record<string, any>>} */
const READERS = {
  "sleep": sleep, "feed": feed, "diaper": diaper, "note": note, "bath": activity, "pump": pump,
  "milk adjust": adjustment, "milestone": inWords, "measurement": measurement, "medicine": medicine,
  "activity": activity, "vaccine": inWords, "food": food,
};

/** @param {Cells} cell @param {Meaning} meaning */
function read(cell, meaning) {
  const type = cell("activity_type").toLowerCase();
  if (!type) throw new Unreadable(say("import_problem.none", { column: "type" }));
  if (!Object.hasOwn(READERS, type)) throw new Unreadable(say("import_problem.no_kind", { text: cell("activity_type") }));
  return READERS[type](cell, { ...meaning, order: "mdy" });
}

/** @param {Cells} cell @param {Meaning} meaning */
const at = (cell, meaning) => time(`${cell("date")} ${cell("time")}`.trim(), meaning, "time");

/**
 * The end is a clock alone: earlier than the start, it is on the next day.
 * @param {Cells} cell @param {Meaning} meaning
 */
function lasting(cell, meaning) {
  const [start, end] = [cell("start_time") || cell("time"), cell("end_time")];
  const day = dayIn(cell("date"), meaning, "date");
  if (!end) return span(`${day} ${start}`, "", meaning);
  const onOneDay = { ...meaning, timezone: "UTC" };
  const isNext = time(`${day} ${end}`, onOneDay, "end") < time(`${day} ${start}`, onOneDay, "start");
  return span(`${day} ${start}`, `${isNext ? addDays(day, 1) : day} ${end}`, meaning);
}

/**
 * "Side: Left; Food: Pear" as what each says.
 * @param {Cells} cell
 */
const detailsOf = (cell) => Object.fromEntries(cell("details").split("; ").map((part) => {
  const place = part.indexOf(": ");
  return place < 0 ? [part, ""] : [part.slice(0, place), part.slice(place + 2)];
}));

/** @param {string} text */
const small = (text) => text.toLowerCase().replaceAll("_", " ");

/** @param {Cells} cell */
const amountInWords = (cell) => named("Amount", [cell("amount"), cell("unit").toLowerCase()].filter(Boolean).join(" "));

/**
 * @param {string} amount @param {Cells} cell @param {"feeding" | "pumping" | "discard"} kind @param {Meaning} meaning
 */
function milliliters(amount, cell, kind, { mark }) {
  const [, most] = boundsOf(kind, "amount_ml");
  const value = quantity(amount && `${amount} ${cell("unit")}`, "amount", VOLUMES, "", { least: 0, most, mark });
  return value ? tenths(value) : null;
}

/** @param {Cells} cell @param {Meaning} meaning */
function sleep(cell, meaning) {
  const type = { "nap": "nap", "night sleep": "night" }[cell("sub_type").toLowerCase()] ?? null;
  return { kind: "sleep", ...lasting(cell, meaning), type, notes: notesWith(cell("notes"), cell("details")) };
}

/** @type {Record<string, string | null>} */
const CONTENTS = {
  "bottle": null, "formula": "formula", "breast milk": "breast_milk", "formula/breast": "mixed", "milk": "other",
  "other": "other",
};

/** @param {Cells} cell @param {Meaning} meaning */
function feed(cell, meaning) {
  const type = cell("sub_type").toLowerCase();
  const { Side, Food, ...more } = detailsOf(cell);
  const common = { kind: "feeding", ...lasting(cell, meaning) };
  if (type === "breast") {
    const side = { Left: "left", Right: "right" }[Side] ?? meaning.side;
    if (!side) throw new Unclear(say("import_problem.no_side"), "sides");
    return { ...common, type: "breast", side, notes: notesWith(cell("notes")) };
  }
  if (type === "solids") {
    return { ...common, type: "solid", food: Food ?? null, notes: notesWith(cell("notes"), amountInWords(cell)) };
  }
  if (!(type in CONTENTS)) throw new Unreadable(say("import_problem.feed_unknown", { text: cell("sub_type") }));
  const share = more["Breast Milk"];
  const remark = type === "milk" ? "Milk" : share && `Breast milk in it: ${share} ${small(cell("unit"))}`;
  return {
    ...common, type: "bottle", content: CONTENTS[type],
    amount_ml: milliliters(cell("amount"), cell, "feeding", meaning), notes: notesWith(cell("notes"), remark),
  };
}

/** @param {Cells} cell @param {Meaning} meaning */
function diaper(cell, meaning) {
  const type = { wet: "wet", dirty: "dirty", both: "mixed", dry: "dry" }[cell("sub_type").toLowerCase()];
  if (!type) throw new Unreadable(say("import_problem.diaper_unknown", { text: cell("sub_type") }));
  const { Color = "", Condition = "", ...more } = detailsOf(cell);
  const [color, remark] = colorOf(small(Color));
  return {
    kind: "diaper", occurred_at: at(cell, meaning), type, color,
    notes: notesWith(cell("notes"), named("Consistency", small(Condition)), remark, ...Object.keys(more)),
  };
}

/** @param {Cells} cell @param {Meaning} meaning */
function note(cell, meaning) {
  if (!cell("notes")) throw new Unreadable(say("import_problem.note_empty"));
  return { kind: "note", occurred_at: at(cell, meaning), content: notesWith(cell("notes"), cell("details")) };
}

/**
 * What has no kind here is a note that says it.
 * @param {Cells} cell @param {Meaning} meaning
 */
function inWords(cell, meaning) {
  const what = [cell("activity_type"), cell("sub_type")].filter(Boolean).join(", ");
  return { kind: "note", occurred_at: at(cell, meaning), content: notesWith(what, cell("details"), cell("notes")) };
}

/** @param {Cells} cell @param {Meaning} meaning */
function activity(cell, meaning) {
  const isBath = cell("activity_type").toLowerCase() === "bath";
  const name = isBath ? "Bath" : cell("sub_type") || "Play";
  return { kind: "activity", ...lasting(cell, meaning), name, notes: notesWith(cell("details"), cell("notes")) };
}

/** @param {Cells} cell @param {Meaning} meaning */
function pump(cell, meaning) {
  const parts = Object.fromEntries(cell("amount").split(", ").map((part) => part.split(": ")));
  const each = [parts.L, parts.R].map((part) => milliliters(part ?? "", cell, "pumping", meaning) ?? 0);
  const side = each[0] && each[1] ? "both" : each[0] ? "left" : each[1] ? "right" : null;
  return {
    kind: "pumping", ...lasting(cell, meaning), side,
    amount_ml: milliliters(parts.Total ?? "", cell, "pumping", meaning) ?? (tenths(each[0] + each[1]) || null),
    notes: notesWith(cell("notes"), !/^stored$/i.test(cell("sub_type")) && small(cell("sub_type"))),
  };
}

/** @param {Cells} cell @param {Meaning} meaning */
function adjustment(cell, meaning) {
  const [, minus, amount] = /^([-−]?)(.*)$/.exec(cell("amount")) ?? [];
  if (!minus) throw new Unreadable(say("import_problem.milk_by_hand"));
  const amount_ml = needed(milliliters(amount, cell, "discard", meaning), "amount");
  const notes = notesWith(cell("sub_type"), cell("notes"));
  return { kind: "discard", occurred_at: at(cell, meaning), amount_ml, notes };
}

/** @type {Record<string, "weight_g" | "length_cm" | "head_cm">} */
const FIELDS = { "weight": "weight_g", "height": "length_cm", "head circumference": "head_cm" };

/** @param {Cells} cell @param {Meaning} meaning */
function measurement(cell, meaning) {
  const common = { occurred_at: at(cell, meaning), notes: notesWith(cell("notes")) };
  const text = `${cell("amount")} ${cell("unit")}`.trim();
  const type = cell("sub_type").toLowerCase();
  if (type === "temperature") {
    return { kind: "temperature", ...common, celsius: tenths(needed(degrees(text, meaning.mark), "temperature")) };
  }
  const field = FIELDS[type];
  if (!field) throw new Unreadable(say("import_problem.measurement_unknown", { text: cell("sub_type") }));
  const value = needed(measure(text, field, meaning.mark), type);
  return { kind: "measurement", ...common, [field]: field === "weight_g" ? Math.round(value) : tenths(value) };
}

/** @param {Cells} cell @param {Meaning} meaning */
function medicine(cell, meaning) {
  if (!cell("details")) throw new Unreadable(say("import_problem.none", { column: "name" }));
  const dose = [cell("amount"), small(cell("unit"))].filter(Boolean).join(" ");
  const notes = notesWith(cell("notes"));
  return { kind: "medication", occurred_at: at(cell, meaning), name: cell("details"), dose: dose || null, notes };
}

/** @param {Cells} cell @param {Meaning} meaning */
function food(cell, meaning) {
  const [name, ...more] = cell("details").split("; ");
  return {
    kind: "feeding", ...span(`${cell("date")} ${cell("time")}`, "", meaning), type: "solid", food: name || null,
    notes: notesWith(cell("notes"), ...more, cell("sub_type")),
  };
}
