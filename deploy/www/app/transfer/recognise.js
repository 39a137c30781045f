// What the chosen files are, before anything is done with them.

import { childOf, columnName, columnsLeft, formOf } from "./baby-buddy.js";
import { number } from "./cells.js";
import { readTable } from "./csv.js";
import { FORMAT, VERSION } from "./export.js";

/** @typedef {import("./baby-buddy.js").Form} Form */
/** @typedef {{line: number, cells: string[], child: string}} SourceRow */
/**
 * A file of Baby Buddy's.
 * @typedef {{is: "table", name: string, form: Form, header: string[], columnsLeft: string[], rows: SourceRow[],
 *   problems: {line: number, reason: string}[]}} TableSource
 */
/**
 * A file of our own export.
 * @typedef {{is: "export", name: string, children: {id: string, name: string, events: any[]}[]}} ExportSource
 */
/** @typedef {{is: "unknown", name: string, reason: string}} UnknownSource */
/** @typedef {TableSource | ExportSource | UnknownSource} Source */
/**
 * A child as the files name it.
 * @typedef {{key: string, label: string, count: number, id: string | null}} ChildInFiles
 */

/** @param {string} name @param {string} text @returns {Source} */
export function recognise(name, text) {
  const begin = text.trimStart()[0];
  if (begin === "{" || begin === "[") return ownExport(name, text);
  const { header, rows, problems } = readTable(text);
  const form = formOf(header, name);
  if (!form) {
    const reason = new Set(header.map(columnName)).has("bmi") ? "BMI follows from weight and height, so it isn’t kept"
      : rows.length === 0 ? "there are no rows in it" : "its columns are those of no kind we know";
    return { is: "unknown", name, reason };
  }
  return {
    is: "table", name, form, header, columnsLeft: columnsLeft(form, header), problems,
    rows: rows.map(({ line, cells }) => ({ line, cells, child: childOf(cellsOf(header, cells)) })),
  };
}

/** @param {string} name @param {string} text @returns {Source} */
function ownExport(name, text) {
  /** @type {any} */
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    return { is: "unknown", name, reason: "it begins like JSON but isn’t" };
  }
  const unknown = (/** @type {string} */ reason) => ({ is: /** @type {const} */ ("unknown"), name, reason });
  if (value?.format !== FORMAT || !Array.isArray(value.children)) return unknown("it isn’t an export of Baby Basics");
  if (!(value.version <= VERSION)) return unknown("it was made by a newer version of Baby Basics");
  const children = value.children.map((/** @type {any} */ child) => ({
    id: String(child?.id ?? ""), name: String(child?.name ?? "A child"),
    events: Array.isArray(child?.events) ? child.events : [],
  }));
  return { is: "export", name, children };
}

/**
 * Reads a row's cells by their columns' names.
 * @param {string[]} header @param {string[]} cells
 */
export function cellsOf(header, cells) {
  const places = new Map(header.map((name, place) => [columnName(name), place]));
  return (/** @type {string} */ name) => {
    const place = places.get(name);
    return place === undefined ? "" : (cells[place] ?? "").trim();
  };
}

/** @param {Source[]} sources @returns {ChildInFiles[]} */
export function childrenIn(sources) {
  /** @type {Map<string, ChildInFiles>} */
  const found = new Map();
  const count = (/** @type {ChildInFiles} */ more) => {
    const child = found.get(more.key);
    found.set(more.key, { ...more, count: more.count + (child?.count ?? 0) });
  };
  for (const source of sources) {
    if (source.is === "table") {
      for (const { child } of source.rows) count({ key: `table:${child}`, label: child, id: null, count: 1 });
    } else if (source.is === "export") {
      for (const { id, name, events } of source.children) {
        count({ key: `export:${id}`, label: name, id, count: events.length });
      }
    }
  }
  return [...found.values()];
}

/**
 * Which of the family's children each most likely is: the one with its id or its name, else the one that is looked at.
 * @param {ChildInFiles[]} inFiles @param {{id: string, name: string}[]} children @param {{id: string}} active
 * @returns {Record<string, string>}
 */
export function guessChildren(inFiles, children, active) {
  const plain = (/** @type {string} */ name) => name.trim().toLowerCase();
  return Object.fromEntries(inFiles.map(({ key, label, id }) => {
    const same = children.find((child) => child.id === id)
      ?? children.find((child) => plain(child.name) === plain(label))
      ?? children.find((child) => plain(child.name).split(" ")[0] === plain(label).split(" ")[0]);
    return [key, (same ?? active).id];
  }));
}

/**
 * How the numbers are most likely meant.
 * @param {Source[]} sources @param {boolean} isUS
 */
export function guessUnits(sources, isUS) {
  const volumes = numbersOf(sources, ["Feedings", "Pumpings"], ["amount"]);
  const lengths = numbersOf(sources, ["Heights"], ["height", "value"]);
  const heads = numbersOf(sources, ["Head circumferences"], ["head_circumference", "headcircumference", "value"]);
  const inches = heads.length ? median(heads) < 25 : lengths.length ? median(lengths) < 42 : isUS;
  return {
    volume: /** @type {"ml" | "oz"} */ (volumes.length ? median(volumes) < 15 ? "oz" : "ml" : isUS ? "oz" : "ml"),
    weight: /** @type {"kg" | "lb"} */ (inches ? "lb" : "kg"),
    length: /** @type {"cm" | "in"} */ (inches ? "in" : "cm"),
  };
}

/**
 * The numbers of some columns in files of some kinds.
 * @param {Source[]} sources @param {string[]} titles @param {string[]} columns
 */
const numbersOf = (sources, titles, columns) =>
  sources.flatMap((source) =>
    source.is === "table" && titles.includes(source.form.title) ? numbersIn(source, columns) : []);

/** @param {TableSource} source @param {string[]} columns @returns {number[]} */
const numbersIn = (source, columns) => source.rows.flatMap(({ cells }) => {
  const cell = cellsOf(source.header, cells);
  return columns.map(cell).flatMap((text) => {
    try {
      return number(text, "") || [];
    } catch {
      return [];
    }
  });
});

/** @param {number[]} numbers */
const median = (numbers) => [...numbers].sort((one, other) => one - other)[Math.floor(numbers.length / 2)];
