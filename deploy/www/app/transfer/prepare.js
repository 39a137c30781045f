// What an import would add and change, and what not and why: from the files, what the person says of them, and what is
// here already.

import { difference, together } from "../store/merge.js";
import { dateOf } from "../model/days.js";
import { writeTable } from "./csv.js";
import { UNDECIDED } from "./guess.js";
import { KINDS, refusalOf } from "./kinds.js";
import { recognised } from "./match.js";
import { contentOf, rowsOf } from "./rows.js";

/** @typedef {import("../store/types").AnyEvent} AnyEvent */
/** @typedef {import("./recognise.js").Source} Source */
/** @typedef {import("./baby-buddy.js").Meaning} Meaning */
/** @typedef {import("./rows.js").Row} Row */
/** @typedef {{type: string, event: AnyEvent}} Here an event as it is in the store */
/**
 * A row that isn't taken.
 * @typedef {{file: string, line: number, reason: string, cells: string[]}} Problem
 */
/**
 * An event to be sent, and where it is from.
 * @typedef {{id: string, kind: string, child: string, event: Record<string, any>, file: string, line: number,
 *   cells: string[]}} Prepared
 */
/** @typedef {Prepared & {before: AnyEvent, patch: Record<string, any>}} Change what an earlier run made otherwise */
/**
 * `children`: key of a child in the files → id of ours, "" leaves it out. `here`: the family's events by id. `made`:
 * what imports on this device made of them. `undone`: ids that undoing one deleted. `waiting`: ids of what was changed here and isn't sent yet. `elsewhere`:
 * what becomes of rows without a child that are with another child already.
 * @typedef {{children: Record<string, string>, meaning: Meaning, kinds: string[], family: string, ours: string[],
 *   here: Map<string, Here>, made: Map<string, {child_id: string, event: AnyEvent}>, undone: Set<string>,
 *   waiting: Set<string>, now: number,
 *   elsewhere?: "add" | "move"}} Choices
 */
/**
 * `edited`: somebody changed them since they were imported, so they stay. `elsewhere`: rows without a child that are
 * with another child, until a person says what becomes of them. `unclear`: rows that can be read once a person says how.
 * @typedef {{events: Prepared[], changes: Change[], edited: Change[], problems: Problem[], present: number,
 *   leftOut: number, undecided: number, unclear: {decimals: number, dates: number, sides: number}, elsewhere: number,
 *   noPlace: Record<string, number>}} Plan
 */

/** @param {Source[]} sources @param {Choices} choices @returns {Promise<Plan>} */
export async function prepare(sources, choices) {
  /** @type {Plan} */
  const plan = {
    events: [], changes: [], edited: [], problems: [], present: 0, leftOut: 0, undecided: 0,
    unclear: { decimals: 0, dates: 0, sides: 0 }, elsewhere: 0, noPlace: {},
  };
  /** @type {any[]} */
  const found = [];
  const meaning = { ...choices.meaning, now: choices.now };
  for (const row of sources.flatMap((source) => rowsOf(source, meaning))) {
    if ("problem" in row) {
      plan.problems.push({ ...row.problem, cells: row.cells });
      if (row.unclear) plan.unclear[row.unclear] += 1;
      continue;
    }
    const target = choices.children[row.child];
    if (target === UNDECIDED) plan.undecided += 1;
    else if (!target) plan.leftOut += 1;
    else if (!choices.kinds.includes(row.kind)) plan.noPlace[row.kind] = (plan.noPlace[row.kind] ?? 0) + 1;
    else {
      const { file, line, cells } = row;
      const reason = refusalOf(row.kind, row.event, choices.now);
      if (reason) plan.problems.push({ file, line, reason, cells });
      else found.push({ ...row, target });
    }
  }
  for (const { row, id, have, isSame, isElsewhere } of await recognised(found, choices)) {
    const { kind, event, file, line, cells } = row;
    const one = { id, kind, child: row.target, event, file, line, cells };
    if (isElsewhere) plan.elsewhere += 1;
    else if (!have) plan.events.push(one);
    else {
      const patch = isSame || row.ownID === id && !row.isUnsent ? {} : patchOf(row, have, meaning);
      if (!Object.keys(patch).length) plan.present += 1;
      else (isAsMade(id, have, choices) ? plan.changes : plan.edited).push({ ...one, before: have.event, patch });
    }
  }
  return plan;
}

/**
 * What would make of an event what its row says. A date alone says nothing of the time of day.
 * @param {Row & {target: string}} row @param {Here} have @param {Meaning} meaning
 */
function patchOf({ kind, event, target, isDate }, have, { timezone }) {
  /** @type {any} */
  const wanted = { ...event, child_id: target };
  const day = { timezone, dayStart: "00:00" };
  const time = KINDS[kind].time;
  if (isDate && dateOf(Date.parse(event[time]), day) === dateOf(Date.parse(have.event[time]), day)) wanted[time] = have.event[time];
  const patch = together(kind, difference(have.event, wanted, [...KINDS[kind].fields, "notes", "child_id"]), wanted);
  return difference(have.event, { ...have.event, ...patch }, Object.keys(patch));
}

/**
 * Whether an event is as an import made it: as this device remembers, else as the server says.
 * @param {string} id @param {Here} have @param {Pick<Choices, "made" | "waiting">} choices
 */
export function isAsMade(id, { type, event }, { made, waiting }) {
  if (waiting.has(id)) return false;
  const known = made.get(id);
  if (known) {
    const isAlike = JSON.stringify(contentOf(type, event)) === JSON.stringify(contentOf(type, known.event));
    return isAlike && known.child_id === event.child_id;
  }
  return event.updated_by === undefined ? event.updated_at === event.created_at : event.updated_by === null;
}

/**
 * The rows of a file that were not taken, as a file of the same columns with line and reason before them.
 * @param {Source} source @param {Problem[]} problems
 */
export function rejectedTable(source, problems) {
  const header = source.is === "table" ? source.header : ["entry"];
  const rows = problems.map(({ line, reason, cells }) => [line, reason, ...cells]);
  return writeTable([["line", "reason", ...header], ...rows]);
}
