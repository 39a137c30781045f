// All of a family as files: one JSON, or a table a kind.

import { clockTime } from "../model/days.js";
import { writeTable } from "./csv.js";
import { KINDS } from "./kinds.js";

export const FORMAT = "baby-basics";
export const VERSION = 1;

/** @typedef {{type: string, at: string, event: Record<string, any>}} Item */
/** @typedef {{id: string, name: string, date_of_birth: string, events: Item[]}} ChildWithEvents */

/**
 * @param {{family: {id?: string, name: string}, children: ChildWithEvents[], now: number, isUnsent?: boolean}} all
 *   `isUnsent`: it says what somebody changed and could not send, so that an import changes what is there
 */
export function exportJSON({ family, children, now, isUnsent }) {
  return `${JSON.stringify({
    format: FORMAT, version: VERSION, exported_at: new Date(now).toISOString(), unsent: isUnsent,
    family: { id: family.id, name: family.name },
    children: children.map(({ id, name, date_of_birth, events }) => ({ id, name, date_of_birth, events })),
  }, null, 1)}\n`;
}

/**
 * The table of a kind: RFC 4180, one row an event, oldest first, times by the person's clocks with their offset.
 * @param {string} kind @param {ChildWithEvents[]} children @param {string} timezone
 */
export function exportTable(kind, children, timezone) {
  const { fields } = KINDS[kind];
  const columns = ["id", "child_id", "child", ...fields, "notes", "created_by", "created_at", "updated_at"];
  const rows = children
    .flatMap((child) => child.events.flatMap(({ type, at, event }) => type === kind ? [{ at, child, event }] : []))
    .sort((one, other) => one.at < other.at ? -1 : one.at > other.at ? 1 : 0)
    .map(({ child, event }) => columns.map((column) => {
      if (column === "child_id") return child.id;
      if (column === "child") return child.name;
      if (column === "created_by") return event.created_by?.name;
      return column.endsWith("_at") && event[column] ? withOffset(event[column], timezone) : event[column];
    }));
  return writeTable([columns, ...rows]);
}

/**
 * 2026-02-25T07:00:00-05:00; seconds have their fraction only where there is one.
 * @param {string} time @param {string} timezone
 */
export function withOffset(time, timezone) {
  const moment = Date.parse(time);
  const shown = clockTime(moment, timezone);
  const minutes = Math.round((shown - moment) / 60_000);
  const two = (/** @type {number} */ value) => String(value).padStart(2, "0");
  const offset = `${minutes < 0 ? "-" : "+"}${two(Math.floor(Math.abs(minutes) / 60))}:${two(Math.abs(minutes) % 60)}`;
  return new Date(shown).toISOString().replace(/(?:\.000)?Z$/, offset);
}

/**
 * The kinds that there is something of, in their order.
 * @param {ChildWithEvents[]} children
 */
export const kindsIn = (children) => Object.keys(KINDS).map((kind) => ({
  kind, count: children.reduce((sum, { events }) => sum + events.filter(({ type }) => type === kind).length, 0),
})).filter(({ count }) => count > 0);

/**
 * A name for a file that every system takes.
 * @param {string} family @param {string} what @param {string} ending @param {string} date
 */
export function fileName(family, what, ending, date) {
  const letters = family.normalize("NFKD").replace(/[\u0300-\u036f]/g, "");
  const plain = letters.replace(/[^A-Za-z0-9]+/g, "-").replace(/^-+|-+$/g, "");
  return `${plain || "family"}-${what}-${date}.${ending}`;
}
