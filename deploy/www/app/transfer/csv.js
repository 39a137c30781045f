// Comma-separated values, RFC 4180: reading what others write, and writing.

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

/**
 * Reads a table whose first row names the columns. Lines may end in any way, and cells are separated by what the first
 * row uses.
 * @param {string} text @returns {Table}
 */
export function readTable(text) {
  const { rows, open } = readRows(text.replace(/^\uFEFF/, ""));
  /** @type {{line: number, reason: string}[]} */
  const problems = [];
  if (open) problems.push({ line: open, reason: "A quote that is opened here is never closed." });
  const [head, ...rest] = rows.filter(({ cells }) => cells.length > 1 || cells[0] !== "");
  const header = (head?.cells ?? []).map((name) => name.trim());
  return { header, rows: rest, problems };
}

/** @param {string} text */
function readRows(text) {
  const separator = separatorOf(text);
  const special = new RegExp(`[${separator === "\t" ? "\\t" : separator}\\r\\n]`, "g");
  /** @type {Row[]} */
  const rows = [];
  let at = 0;
  let line = 1;
  let begun = 1;
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
  const head = text.slice(0, 10_000).split(/[\r\n]/, 1)[0];
  const counts = [",", ";", "\t"].map((mark) => ({ mark, count: head.split(mark).length }));
  return counts.sort((one, other) => other.count - one.count)[0].mark;
}

/** @param {unknown} value */
function writeCell(value) {
  const text = value === null || value === undefined ? "" : String(value);
  return /[",\r\n]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text;
}

/** @param {unknown[][]} rows */
export const writeTable = (rows) => rows.map((cells) => `${cells.map(writeCell).join(",")}\r\n`).join("");
