// What the chosen files are, before anything is done with them.

import { childOf, columnName, columnsLeft, formsOf } from "./baby-buddy.js";
import { asWritten, readTable } from "./csv.js";
import { FORMAT, VERSION } from "./export.js";
import { HUCKLEBERRY } from "./huckleberry.js";
import { ownForm } from "./own.js";
import { SPROUT_TRACK } from "./sprout-track.js";
import { say } from "../words.js";

/** @typedef {import("./baby-buddy.js").Form} Form */
/** @typedef {{line: number, cells: string[], child: string, label: string, id: string | null}} SourceRow `child` is its key */
/**
 * A table: of another app, or of our own export.
 * @typedef {{is: "table", name: string, form: Form, header: string[], columnsLeft: string[], rows: SourceRow[],
 *   problems: {line: number, reason: string}[], asked?: AskedSource}} TableSource
 */
/**
 * A file of our own export.
 * @typedef {{is: "export", name: string, children: {id: string, name: string, events: any[]}[], isUnsent: boolean}} ExportSource
 */
/** @typedef {{is: "unknown", name: string, reason: string}} UnknownSource */
/**
 * A table that may be of some kinds; a person says of which, or that it is left out.
 * @typedef {{is: "asked", name: string, forms: Form[], table: import("./csv.js").Table, isLeftOut?: boolean}} AskedSource
 */
/** @typedef {TableSource | ExportSource | AskedSource | UnknownSource} Source */
/**
 * A child as the files name it.
 * @typedef {{key: string, label: string, count: number, id: string | null}} ChildInFiles
 */

/** Apps that write everything into one file. */
const WHOLE = [HUCKLEBERRY, SPROUT_TRACK];

/** @param {string} name @param {string} text @returns {Source} */
export function recognise(name, text) {
  const begin = text.trimStart()[0];
  if (begin === "{" || begin === "[") return ownExport(name, text);
  const table = readTable(text);
  const { header, rows } = table;
  const whole = ownForm(header) ?? WHOLE.find(({ has }) => has(new Set(header.map(columnName))));
  const [form, ...others] = whole ? [whole] : formsOf(header, name);
  if (!form) {
    const reason = new Set(header.map(columnName)).has("bmi") ? say("import_problem.bmi")
      : rows.length === 0 ? say("import_problem.no_rows") : say("import_problem.columns_unknown");
    return { is: "unknown", name, reason };
  }
  if (others.length && rows.length) return { is: "asked", name, forms: [form, ...others], table };
  return tableSource(name, form, table);
}

/**
 * What was asked as a person says that it is: a form's title, or "" for nothing.
 * @param {AskedSource} asked @param {string} title @returns {Source}
 */
export function answered(asked, title) {
  const form = asked.forms.find((one) => one.title === title);
  return form ? { ...tableSource(asked.name, form, asked.table), asked } : { ...asked, isLeftOut: true };
}

/** @param {string} name @param {Form} form @param {import("./csv.js").Table} table @returns {TableSource} */
function tableSource(name, form, { header, rows, problems }) {
  const isWrittenHere = form.isOwn || (header[0] === "line" && header[1] === "reason");
  return {
    is: "table", name, form, header, columnsLeft: columnsLeft(form, header), problems,
    rows: rows.map(({ line, cells }) => sourceRow(name, form, header, line, isWrittenHere ? cells.map(asWritten) : cells)),
  };
}

/** @param {string} name @param {Form} form @param {string[]} header @param {number} line @param {string[]} cells @returns {SourceRow} */
function sourceRow(name, form, header, line, cells) {
  // A log of all kinds is one child's, and doesn't say whose.
  if (form.kind === null) return { line, cells, child: `file:${name}`, label: name, id: null };
  const cell = cellsOf(header, cells);
  const id = form.isOwn && cell("child_id") ? cell("child_id") : null;
  const label = id ? cell("child") : childOf(cell);
  return { line, cells, child: id ? `export:${id}` : `table:${label}`, label, id };
}

/** @param {string} name @param {string} text @returns {Source} */
function ownExport(name, text) {
  /** @type {any} */
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    return { is: "unknown", name, reason: say("import_problem.not_json") };
  }
  const unknown = (/** @type {string} */ reason) => ({ is: /** @type {const} */ ("unknown"), name, reason });
  if (value?.format !== FORMAT || !Array.isArray(value.children)) return unknown(say("import_problem.not_ours"));
  if (!(value.version <= VERSION)) return unknown(say("import_problem.newer_export"));
  const children = value.children.map((/** @type {any} */ child) => ({
    id: String(child?.id ?? ""), name: String(child?.name ?? say("import.a_child")),
    events: Array.isArray(child?.events) ? child.events : [],
  }));
  return { is: "export", name, children, isUnsent: value.unsent === true };
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
      for (const { child, label, id } of source.rows) count({ key: child, label, id, count: 1 });
    } else if (source.is === "export") {
      for (const { id, name, events } of source.children) {
        count({ key: `export:${id}`, label: name, id, count: events.length });
      }
    }
  }
  return [...found.values()];
}
