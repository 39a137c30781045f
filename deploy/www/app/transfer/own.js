// What "Export" made, come back: the JSON of everything, and the tables.

import { columnName } from "./baby-buddy.js";
import { number, time } from "./cells.js";
import { kinds } from "../store/kinds.js";
import { KINDS } from "./kinds.js";
import { say } from "../words.js";

/** @typedef {import("./baby-buddy.js").Form} Form */

export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Columns that each of our tables has. */
const EACH = ["id", "child_id", "child", "created_at", "updated_at"];

/**
 * The kind of a table of ours, by its columns: of those whose required fields are there the one with the most. An older
 * version had fewer fields.
 * @param {string[]} header @returns {Form | null}
 */
export function ownForm(header) {
  const columns = new Set(header.map(columnName));
  const all = EACH.every((name) => columns.has(name)) ? Object.values(KINDS) : [];
  const has = (/** @type {import("./kinds.js").Kind} */ { fields }) => fields.filter((field) => columns.has(field)).length;
  const isComplete = (/** @type {import("./kinds.js").Kind} */ { name }) =>
    Object.entries(kinds[name].fields).every(([field, { required, types }]) => !required || types || columns.has(field));
  const [kind] = all.filter(isComplete).sort((one, other) => has(other) - has(one) || one.fields.length - other.fields.length);
  if (!kind) return null;
  const takes = [...kind.fields, "notes", ...EACH, "created_by"];
  return {
    kind: kind.name, title: "An export of Baby Basics", says: "import.own_export", file: /^$/, has: () => true, takes,
    read: readerOf(kind), isOwn: true,
  };
}

/** @param {import("./kinds.js").Kind} kind @returns {Form["read"]} */
const readerOf = (kind) => (cell, meaning) => Object.fromEntries([...kind.fields, "notes"].map((field) => {
  const text = cell(field);
  if (text === "") return [field, null];
  if (field.endsWith("_at")) return [field, time(text, meaning, field)];
  const { form } = kinds[kind.name].fields[field];
  if (form === "flag") return [field, text.toLowerCase() === "true"];
  return [field, form === "number" || form === "whole" ? number(text, field, { mark: meaning.mark ?? "." }) : text];
}));

/**
 * A row of the JSON.
 * @param {string} file @param {string} child @param {any} item @param {number} line @returns {any}
 */
export function ownRow(file, child, item, line) {
  const kind = KINDS[item?.type];
  const cells = [JSON.stringify(item ?? null)];
  if (!kind || typeof item.event !== "object" || item.event === null) {
    const reason = item?.type ? say("import_problem.no_kind", { text: item.type }) : say("import_problem.no_kind_said");
    return { file, line, cells, problem: { file, line, reason } };
  }
  const event = Object.fromEntries([...kind.fields, "notes"].map((field) => [field, item.event[field] ?? null]));
  const ownID = UUID.test(item.event.id) ? item.event.id : null;
  return { file, line, cells, kind: kind.name, child: `export:${child}`, event, ownChild: child, ownID, source: ["own", ownID ?? event] };
}
