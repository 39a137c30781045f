// Huckleberry's one file: what a column means depends on the row's type.

import { span, tenths, time, Unclear, Unreadable } from "./cells.js";
import { clockLength, colorOf, degrees, measure, milk, named, notesWith } from "./values.js";
import { say } from "../words.js";

/** @typedef {import("./baby-buddy.js").Cells} Cells */
/** @typedef {import("./baby-buddy.js").Meaning} Meaning */

/** @type {import("./baby-buddy.js").Form} */
export const HUCKLEBERRY = {
  kind: null, title: "Huckleberry", file: /^$/,
  has: (columns) => ["type", "start", "start_condition", "end_condition"].every((name) => columns.has(name)),
  takes: ["type", "start", "end", "duration", "start_condition", "start_location", "end_condition", "notes"], read,
};

/** @type {Record<string, (cell: Cells, meaning: Meaning) => Record<string, any>>} */
const READERS = {
  feed, bottle, solids, sleep, pump, meds, diaper: (cell, meaning) => diaper(cell, meaning),
  potty: (cell, meaning) => diaper(cell, meaning, "Potty"), growth, temp: temperature,
};

/** @param {Cells} cell @param {Meaning} meaning */
function read(cell, meaning) {
  const type = cell("type").toLowerCase();
  if (!type) throw new Unreadable(say("import_problem.none", { column: "type" }));
  return (Object.hasOwn(READERS, type) ? READERS[type] : activity)(cell, meaning);
}

/**
 * Start and end; without an end what the duration says.
 * @param {Cells} cell @param {Meaning} meaning
 */
function lasting(cell, meaning) {
  const times = span(cell("start"), cell("end"), meaning);
  const length = times.ended_at ? null : clockLength(cell("duration"), "duration");
  return length === null ? times : { ...times, ended_at: later(times.started_at, length) };
}

/** @param {string} moment @param {number} milliseconds */
const later = (moment, milliseconds) => new Date(Date.parse(moment) + milliseconds).toISOString();

/** @param {Cells} cell @param {Meaning} meaning */
function feed(cell, meaning) {
  const place = cell("start_location").toLowerCase();
  if (place === "bottle") return bottle(cell, meaning);
  if (place && place !== "breast") throw new Unreadable(say("import_problem.neither_breast_nor_bottle", { text: cell("start_location") }));
  return breast(cell, meaning);
}

/** @type {Record<string, string>} */
const CONTENTS = {
  "formula": "formula", "breast milk": "breast_milk", "breastmilk": "breast_milk", "mixed": "mixed",
  "formula + breast milk": "mixed", "breast milk + formula": "mixed",
};

/** @param {Cells} cell @param {Meaning} meaning */
function bottle(cell, meaning) {
  // Some exports have the amount in both columns.
  const content = /^\d/.test(cell("start_condition")) ? "" : cell("start_condition");
  const known = CONTENTS[content.toLowerCase()];
  const amount = milk(cell("end_condition") || (content ? "" : cell("start_condition")), "feeding", meaning.mark);
  return {
    kind: "feeding", ...lasting(cell, meaning), type: "bottle", content: known ?? (content ? "other" : null),
    amount_ml: amount && tenths(amount), notes: notesWith(!known && content, cell("notes")),
  };
}

/**
 * Minutes at a side, 00:06R, or 10:00 without one. Whether its parts are hours and minutes or minutes and seconds only
 * the feed's length tells.
 * @param {string} text
 */
function atBreast(text) {
  if (!text) return [];
  const [, first, second, third, side] = /^(\d{1,3}):([0-5]\d)(?::([0-5]\d))?\s*([LR])?$/i.exec(text) ?? [];
  if (!first) throw new Unreadable(say("import_problem.no_time_at_side", { text }));
  const large = Number(first) * 60 + Number(second);
  const rest = Number(third ?? 0) / 60;
  return [{ large: large + rest, small: third ? large + rest : large / 60, side: side?.toUpperCase() }];
}

/** @param {Cells} cell @param {Meaning} meaning */
function breast(cell, meaning) {
  const times = lasting(cell, meaning);
  const parts = [cell("start_condition"), cell("end_condition")].flatMap(atBreast);
  const sum = (/** @type {"large" | "small"} */ size, all = parts) =>
    all.reduce((total, part) => total + part[size], 0);
  const length = times.ended_at && (Date.parse(times.ended_at) - Date.parse(times.started_at)) / 60_000;
  const isLarge = length ? Math.abs(sum("large") - length) <= Math.abs(sum("small") - length)
    : parts.every(({ side }) => side);
  const size = isLarge ? "large" : "small";
  const spent = parts.filter((part) => part[size] > 0);
  const ended_at = times.ended_at ?? (spent.length ? later(times.started_at, sum(size) * 60_000) : null);
  const common = { kind: "feeding", ...times, ended_at, type: "breast" };
  /** @type {Set<string | undefined>} */
  const sides = new Set((spent.length ? spent : parts).map(({ side }) => side));
  if (sides.size && !sides.has(undefined)) {
    const at = (/** @type {"L" | "R"} */ side) =>
      sides.has(side) ? Math.round(sum(size, parts.filter((part) => part.side === side))) : null;
    return {
      ...common, side: sides.size === 2 ? "both" : sides.has("L") ? "left" : "right",
      ...spent.length ? { left_minutes: at("L"), right_minutes: at("R") } : {}, notes: notesWith(cell("notes")),
    };
  }
  const side = spent.length === 2 ? "both" : meaning.side;
  if (!side) throw new Unclear(say("import_problem.no_side"), "sides");
  const said = spent.length && [cell("start_condition"), cell("end_condition")].filter(Boolean).join(" + ");
  return { ...common, side, notes: notesWith(cell("notes"), said) };
}

/** @param {Cells} cell @param {Meaning} meaning */
function solids(cell, meaning) {
  return {
    kind: "feeding", ...lasting(cell, meaning), type: "solid", food: cell("start_condition") || null,
    notes: notesWith(cell("notes"), named("Reaction", cell("end_condition").toLowerCase())),
  };
}

/** @param {Cells} cell */
const circumstances = (cell) => notesWith(
  cell("notes"), named("At the start", cell("start_condition")), named("Where", cell("start_location")),
  named("At the end", cell("end_condition")));

/** @param {Cells} cell @param {Meaning} meaning */
function sleep(cell, meaning) {
  return { kind: "sleep", ...lasting(cell, meaning), notes: circumstances(cell) };
}

/** @param {Cells} cell @param {Meaning} meaning */
function activity(cell, meaning) {
  return { kind: "activity", ...lasting(cell, meaning), name: cell("type"), notes: circumstances(cell) };
}

/** @param {Cells} cell @param {Meaning} meaning */
function pump(cell, meaning) {
  const amounts = [cell("start_condition"), cell("end_condition")].map((text) => milk(text, "pumping", meaning.mark));
  const [one, other] = amounts.map((amount) => amount ?? 0);
  return {
    kind: "pumping", ...lasting(cell, meaning), side: one && other ? "both" : null,
    amount_ml: tenths(one + other) || null, notes: notesWith(cell("notes")),
  };
}

const DOSE = /^\d+([.,]\d+)?\s*[a-zµ%]{0,8}$/i;

/** @param {Cells} cell @param {Meaning} meaning */
function meds(cell, meaning) {
  if (!cell("start_location")) throw new Unreadable(say("import_problem.none", { column: "name" }));
  // Some exports have the dose in the last column.
  const isDoseLast = !cell("start_condition") && DOSE.test(cell("notes"));
  const dose = cell("start_condition") || (isDoseLast ? cell("notes") : cell("end_condition"));
  return {
    kind: "medication", occurred_at: time(cell("start"), meaning, "start"), name: cell("start_location"),
    dose: dose || null,
    notes: notesWith(!isDoseLast && cell("notes"), dose !== cell("end_condition") && cell("end_condition")),
  };
}

/**
 * What a diaper held; null where the text doesn't say it.
 * @param {string} text "Pee:medium", "Both, pee:medium poo:small", "Pee + Poo"
 */
function heldIn(text) {
  const has = (/** @type {RegExp} */ word) => word.test(text);
  const [wet, dirty] = [has(/\b(pee|wet|both)\b/i), has(/\b(poo|poop|dirty|both)\b/i)];
  return wet && dirty ? "mixed" : wet ? "wet" : dirty ? "dirty" : has(/\bdry\b/i) ? "dry" : null;
}

/** @param {Cells} cell @param {Meaning} meaning @param {string} [where] */
function diaper(cell, meaning, where) {
  const [start, end] = [cell("start_condition"), cell("end_condition")];
  const type = heldIn(end) ?? (end ? null : heldIn(start));
  const said = end || start;
  if (!type) throw new Unreadable(said ? say("import_problem.neither_pee_nor_poo", { text: said }) : say("import_problem.no_content"));
  // A potty's row may have a length where a diaper's has the color.
  const [color, remark] = colorOf(/:/.test(cell("duration")) ? "" : cell("duration"));
  const sizes = [...end.matchAll(/\b(pee|poo)\s*:\s*(\w+)/gi)].map(([, what, size]) => `${what.toLowerCase()} ${size}`);
  return {
    kind: "diaper", occurred_at: time(cell("start"), meaning, "start"), type, color,
    notes: notesWith(where, cell("notes"), named("Amount", sizes.join(", ")),
      named("Consistency", end ? start.toLowerCase() : ""), remark),
  };
}

/** @param {Cells} cell @param {Meaning} meaning */
function growth(cell, meaning) {
  const { mark } = meaning;
  const weight = measure(cell("start_condition"), "weight_g", mark);
  // Some exports have the length in the last column.
  const isLengthLast = !cell("start_location") && /^\d+([.,]\d+)?\s*(cm|in)$/i.test(cell("notes"));
  const length = measure(isLengthLast ? cell("notes") : cell("start_location"), "length_cm", mark);
  const head = measure(cell("end_condition"), "head_cm", mark);
  if (weight === null && length === null && head === null) throw new Unreadable(say("import_problem.nothing_measured"));
  return {
    kind: "measurement", occurred_at: time(cell("start"), meaning, "start"), weight_g: weight && Math.round(weight),
    length_cm: length && tenths(length), head_cm: head && tenths(head),
    notes: notesWith(!isLengthLast && cell("notes")),
  };
}

/** @param {Cells} cell @param {Meaning} meaning */
function temperature(cell, meaning) {
  const celsius = degrees(cell("start_condition") || cell("end_condition"), meaning.mark);
  if (celsius === null) throw new Unreadable(say("import_problem.none", { column: "temperature" }));
  return {
    kind: "temperature", occurred_at: time(cell("start"), meaning, "start"), celsius: tenths(celsius),
    notes: notesWith(cell("notes")),
  };
}
