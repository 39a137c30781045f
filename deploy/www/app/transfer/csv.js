// Comma-separated values, RFC 4180: reading what others write, and writing.

import { say } from "../words.js";

/** What Excel wants before a table to take it for UTF-8. */
export const BYTE_ORDER_MARK = "\uFEFF";

/** @typedef {{line: number, cells: string[]}} Row `line` is where it begins in the file, from 1 */
/** @typedef {{header: string[], rows: Row[], problems: {line: number, reason: string}[]}} Table */

/**
 * The text of a file: UTF-8, UTF-16 with its mark, or what old spreadsheets write.
 * @param {ArrayBuffer} bytes
 */
export function decodeText(bytes) {
  const [first, second] = new Uint8Array(bytes, 0, Math.min(2, bytes.byteLength));
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

/** What Excel writes before a table: which mark separates its cells. */
const SEP = /^"?sep=(.)"?[,;\t]*(\r\n|\r|\n|$)/i;

/**
 * Reads a table whose first row names the columns. Lines may end in any way, and cells are separated by what the file
 * says, else by what the first row uses. Rows of empty cells and empty cells beyond the last column are passed over.
 * @param {string} text @returns {Table}
 */
export function readTable(text) {
  const plain = text.replace(/^\uFEFF/, "");
  const [said, separator] = SEP.exec(plain) ?? [];
  const { rows, open } = readRows(plain.slice(said?.length ?? 0), separator, said ? 2 : 1);
  /** @type {{line: number, reason: string}[]} */
  const problems = [];
  if (open) problems.push({ line: open, reason: say("import_problem.open_quote") });
  const [head, ...rest] = rows.filter(({ cells }) => cells.some((cell) => cell.trim() !== ""));
  const header = withoutEnd((head?.cells ?? []).map((name) => name.trim()), 0);
  return { header, rows: rest.map(({ line, cells }) => ({ line, cells: withoutEnd(cells, header.length) })), problems };
}

/**
 * Without the empty cells at its end, but for the first `least`.
 * @param {string[]} cells @param {number} least
 */
function withoutEnd(cells, least) {
  let length = cells.length;
  while (length > least && cells[length - 1].trim() === "") length -= 1;
  return cells.slice(0, length);
}

/** @param {string} text @param {string} [said] @param {number} [line] that the text begins with */
function readRows(text, said, line = 1) {
  const separator = said ?? separatorOf(text);
  const special = new RegExp(`[${separator === "\t" ? "\\t" : separator}\\r\\n]`, "g");
  /** @type {Row[]} */
  const rows = [];
  let at = 0;
  let begun = line;
  let open = 0;
  /** @type {string[]} */
  let cells = [];
  while (at <= text.length) {
    let cell = "";
    if (text[at] === '"') {
      const opened = line;
      let from = at + 1;
      for (;;) {
        const quote = text.indexOf('"', from);
        const end = quote === -1 ? text.length : quote;
        const piece = text.slice(from, end);
        cell += piece;
        line += newlines(piece);
        at = end + 1;
        if (quote === -1) open ||= opened;
        if (text[at] !== '"') break;
        cell += '"';
        from = at + 1;
      }
    }
    special.lastIndex = at;
    const found = special.exec(text);
    const end = found ? found.index : text.length;
    cell += text.slice(Math.min(at, end), end);
    cells.push(cell);
    at = end + 1;
    if (found && text[end] === separator) continue;
    rows.push({ line: begun, cells });
    cells = [];
    if (!found) break;
    if (text[end] === "\r" && text[at] === "\n") at += 1;
    line += 1;
    begun = line;
  }
  return { rows, open };
}

/** @param {string} text */
const newlines = (text) => text.match(/\r\n|\r|\n/g)?.length ?? 0;

/** @param {string} text */
function separatorOf(text) {
  const head = text.slice(0, 10_000).replace(/"[^"]*"/g, "").split(/[\r\n]+/).find((row) => /[^\s,;]/.test(row)) ?? "";
  const counts = [",", ";", "\t"].map((mark) => ({ mark, count: head.split(mark).length }));
  return counts.sort((one, other) => other.count - one.count)[0].mark;
}

// What a spreadsheet would take for a formula, and not for a number.
const FORMULA = /^'*[=+\-@\t\r\n]/;
const NUMBER = /^[+-]?\d+([.,]\d+)?$/;

/** @param {unknown} value */
function writeCell(value) {
  const plain = value === null || value === undefined ? "" : String(value);
  const text = FORMULA.test(plain) && !NUMBER.test(plain) ? `'${plain}` : plain;
  return /[",;\t\r\n]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * A cell of a table that `writeTable` wrote, as it was.
 * @param {string} text
 */
export const asWritten = (text) => text.startsWith("'") && FORMULA.test(text) ? text.slice(1) : text;

/**
 * Text that begins like a formula gets an apostrophe before it, so that no spreadsheet runs what somebody typed.
 * @param {unknown[][]} rows
 */
export const writeTable = (rows) => rows.map((cells) => `${cells.map(writeCell).join(",")}\r\n`).join("");
