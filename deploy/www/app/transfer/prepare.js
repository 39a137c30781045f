// What would be imported, and what not and why: from the files and what the person says of them.

import { Unreadable } from "./cells.js";
import { writeTable } from "./csv.js";
import { withIds } from "./ids.js";
import { KINDS, refusalOf } from "./kinds.js";
import { cellsOf } from "./recognise.js";

/** @typedef {import("./recognise.js").Source} Source */
/** @typedef {import("./baby-buddy.js").Meaning} Meaning */
/**
 * A row that isn't taken.
 * @typedef {{file: string, line: number, reason: string, cells: string[]}} Problem
 */
/**
 * An event to be sent, and where it is from.
 * @typedef {{id: string, kind: string, child: string, event: Record<string, any>, file: string, line: number,
 *   cells: string[]}} Prepared
 */
/**
 * @typedef {{children: Record<string, string>, meaning: Meaning, kinds: string[], existing: Set<string>,
 *   now: number}} Choices
 *   `children`: key of a child in the files → id of ours, "" leaves it out; `existing`: ids that are here already
 */

/**
 * @param {Source[]} sources @param {Choices} choices
 * @returns {Promise<{events: Prepared[], problems: Problem[], present: number, leftOut: number,
 *   noPlace: Record<string, number>}>}
 */
export async function prepare(sources, choices) {
  /** @type {any[]} */
  const found = [];
  /** @type {Problem[]} */
  const problems = [];
  /** @type {Record<string, number>} */
  const noPlace = {};
  let leftOut = 0;
  for (const { problem, kind, child, ...row } of sources.flatMap((source) => rowsOf(source, choices.meaning))) {
    const target = choices.children[child];
    if (problem) problems.push({ ...problem, cells: row.cells });
    else if (!target) leftOut += 1;
    else if (!choices.kinds.includes(kind)) noPlace[kind] = (noPlace[kind] ?? 0) + 1;
    else {
      const reason = refusalOf(kind, row.event, choices.now);
      if (reason) problems.push({ file: row.file, line: row.line, reason, cells: row.cells });
      else found.push({ ...row, kind, child: target });
    }
  }
  const all = (await withIds(found)).map((one) => keptId(one));
  const events = all.filter(({ id }) => !choices.existing.has(id));
  return { events, problems, present: all.length - events.length, leftOut, noPlace };
}

/**
 * An event that comes back to the child whose it was keeps its id.
 * @param {any} one
 */
const keptId = ({ ownChild, ownID, source, ...one }) => ownID && ownChild === one.child ? { ...one, id: ownID } : one;

/** @param {Source} source @param {Meaning} meaning @returns {any[]} */
function rowsOf(source, meaning) {
  if (source.is === "table") {
    const unread = source.problems.map((problem) => ({ problem: { file: source.name, ...problem }, cells: [] }));
    return [...source.rows.map((row) => tableRow(source, row, meaning)), ...unread];
  }
  if (source.is === "export") {
    return source.children.flatMap(({ id, events }) =>
      events.map((item, place) => ownRow(source.name, id, item, place + 1)));
  }
  return [];
}

/**
 * @param {import("./recognise.js").TableSource} source
 * @param {import("./recognise.js").SourceRow} row
 * @param {Meaning} meaning
 */
function tableRow(source, { line, cells, child }, meaning) {
  const place = { file: source.name, line, cells };
  try {
    if (cells.length > source.header.length) throw new Unreadable("the row has more cells than there are columns");
    const event = withoutEmpty(source.form.read(cellsOf(source.header, cells), meaning));
    return { ...place, kind: source.form.kind, child: `table:${child}`, event };
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return { ...place, problem: { file: source.name, line, reason: error.message } };
  }
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** @param {string} file @param {string} child @param {any} item @param {number} line */
function ownRow(file, child, item, line) {
  const kind = KINDS[item?.type];
  const place = { file, line, cells: [JSON.stringify(item ?? null)] };
  if (!kind || typeof item.event !== "object" || item.event === null) {
    return { ...place, problem: { file, line, reason: `“${item?.type ?? "nothing"}” is no kind we know` } };
  }
  const taken = Object.fromEntries([...kind.fields, "notes"].map((field) => [field, item.event[field]]));
  const ownID = UUID.test(item.event.id) ? item.event.id : null;
  const event = withoutEmpty(taken);
  return { ...place, kind: kind.name, child: `export:${child}`, event, ownChild: child, ownID, source: ownID };
}

/** @param {Record<string, any>} event */
const withoutEmpty = (event) =>
  Object.fromEntries(Object.entries(event).filter(([, value]) => value !== null && value !== undefined));

/**
 * The rows of a file that were not taken, as a file of the same columns with line and reason before them.
 * @param {Source} source @param {Problem[]} problems
 */
export function rejectedTable(source, problems) {
  const header = source.is === "table" ? source.header : ["entry"];
  const rows = problems.map(({ line, reason, cells }) => [line, reason, ...cells]);
  return writeTable([["line", "reason", ...header], ...rows]);
}
