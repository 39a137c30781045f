// The rows of files as events, or as what can't be taken and why.

import { columnName } from "./baby-buddy.js";
import { isDateAlone, Unclear, Unreadable } from "./cells.js";
import { KINDS } from "./kinds.js";
import { ownRow, UUID } from "./own.js";
import { cellsOf } from "./recognise.js";
import { say } from "../words.js";

/** @typedef {import("./recognise.js").Source} Source */
/** @typedef {import("./baby-buddy.js").Meaning} Meaning */
/**
 * `source` names the row by where it is from; `child` is the key of its child in the files, which for a row that names
 * none is that of the file. `ownID` is an id of ours, of an event of `ownChild`.
 * `isUnsent`: it is what somebody changed and could not send, so that it counts where the event is there.
 * @typedef {{file: string, line: number, cells: string[], kind: string, child: string, event: Record<string, any>,
 *   source: any, hasChild: boolean, isDate?: boolean, ownChild?: string | null, ownID?: string | null, isUnsent?: boolean}} Row
 */
/**
 * @typedef {{file: string, line: number, cells: string[], problem: {file: string, line: number, reason: string},
 *   unclear?: "decimals" | "dates" | "sides" | null}} BadRow `unclear`: what somebody can say to make it readable */

/** @param {Source} source @param {Meaning} meaning @returns {(Row | BadRow)[]} */
export function rowsOf(source, meaning) {
  if (source.is === "table") {
    const unread = source.problems.map((problem) => {
      const place = { file: source.name, line: problem.line, cells: [] };
      return { ...place, problem: { file: source.name, ...problem } };
    });
    return [...source.rows.map((row) => tableRow(source, row, meaning)), ...unread];
  }
  if (source.is !== "export") return [];
  return source.children.flatMap(({ id, events }) => events.map((item, place) => {
    const row = ownRow(source.name, id, item, place + 1);
    return row.problem ? row : { ...row, event: withoutEmpty(row.event), hasChild: true, isUnsent: source.isUnsent };
  }));
}

/**
 * @param {import("./recognise.js").TableSource} source
 * @param {import("./recognise.js").SourceRow} row
 * @param {Meaning} meaning
 * @returns {Row | BadRow}
 */
function tableRow({ name, header, form }, { line, cells, child, id }, meaning) {
  const place = { file: name, line, cells };
  try {
    if (cells.length > header.length) throw new Unreadable(say("import_problem.too_many_cells"));
    const cell = cellsOf(header, cells);
    const { kind = form.kind, ...event } = withoutEmpty(form.read(cell, meaning));
    const own = form.isOwn && UUID.test(cell("id")) ? { ownID: cell("id"), ownChild: id } : {};
    const known = form.isOwn ? own.ownID && ["own", own.ownID] : cell("id") && [form.title, cell("id")];
    const taken = header.filter((column) => form.takes.includes(columnName(column)) && cell(columnName(column)));
    const raw = Object.fromEntries(taken.map((column) => [columnName(column), cell(columnName(column))]));
    // A file's name is not its rows'.
    const said = form.kind === null ? "table:" : child;
    const source = known || [form.title, said, raw];
    const isDate = !form.isOwn && form.kind !== null && isDateAlone(cell("date"));
    return { ...place, kind, child, event, source, hasChild: said !== "table:" || Boolean(known), isDate, ...own };
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return { ...place, problem: { file: name, line, reason: error.message }, unclear: error instanceof Unclear ? error.about : null };
  }
}

/** @param {Record<string, any>} event */
const withoutEmpty = (event) =>
  Object.fromEntries(Object.entries(event).filter(([, value]) => value !== null && value !== undefined));

/**
 * What an event says, without who and when it was written: two that say the same are alike.
 * @param {string} kind @param {any} event
 */
export function contentOf(kind, event) {
  return Object.fromEntries([...KINDS[kind].fields, "notes"].flatMap((field) => {
    const value = event[field] ?? null;
    if (value === null || value === false) return [];
    return [[field, field.endsWith("_at") ? new Date(value).toISOString() : value]];
  }));
}
