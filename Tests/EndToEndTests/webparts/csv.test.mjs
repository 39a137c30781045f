import assert from "node:assert/strict";
import { test } from "node:test";
import "./english.mjs";
import { asWritten, decodeText, readTable, writeTable } from "../../../deploy/www/app/transfer/csv.js";

const cells = (text) => readTable(text).rows.map((row) => row.cells);

test("quotes, separators and line ends within quotes", () => {
  assert.deepEqual(cells('a,b\r\n"x, y","say ""hi"""\r\n"two\r\nlines",z\r\n'),
    [["x, y", 'say "hi"'], ["two\r\nlines", "z"]]);
});

test("line numbers count the lines of the file", () => {
  const { rows } = readTable('a,b\n"1\n2\n3",x\n\n4,y');
  assert.deepEqual(rows.map(({ line }) => line), [2, 6]);
});

test("any line end, a byte order mark, blank lines, no line end at the end", () => {
  for (const end of ["\n", "\r\n", "\r"]) {
    const table = readTable(`\uFEFFa,b${end}1,2${end}${end}3,4`);
    assert.deepEqual(table.header, ["a", "b"]);
    assert.deepEqual(table.rows, [{ line: 2, cells: ["1", "2"] }, { line: 4, cells: ["3", "4"] }]);
  }
});

test("semicolons and tabs are separators where the first row has them", () => {
  assert.deepEqual(cells("a;b\n1,5;x"), [["1,5", "x"]]);
  assert.deepEqual(cells("a\tb\n1\tx, y"), [["1", "x, y"]]);
});

test("a quote that is never closed is a problem with its line, not the end of everything", () => {
  const { rows, problems } = readTable('a,b\n1,2\n3,"open\n5,6');
  assert.deepEqual(problems, [{ line: 3, reason: "A quote that is opened here is never closed." }]);
  assert.deepEqual(rows[0].cells, ["1", "2"]);
});

test("no file, one line, only a header", () => {
  assert.deepEqual(readTable(""), { header: [], rows: [], problems: [] });
  assert.deepEqual(readTable("a,b\n").rows, []);
});

test("what is written is read again as it was", () => {
  const rows = [["id", "notes"], ["1", 'He said "no", then\nslept'], ["2", " spaces "], ["3", "ünï 👶"], ["4", ""]];
  const text = writeTable(rows);
  assert.ok(text.startsWith("id,notes\r\n"));
  assert.ok(text.endsWith("\r\n"));
  assert.deepEqual([readTable(text).header, ...cells(text)], rows);
});

test("nothing is an empty cell, numbers and zeros are themselves", () => {
  assert.equal(writeTable([[null, undefined, 0, 1.5, false]]), ",,0,1.5,false\r\n");
});

test("files of old spreadsheets are text, too", () => {
  assert.equal(decodeText(Uint8Array.from([0x4d, 0xfc, 0x64, 0x65]).buffer), "Müde");
  assert.equal(decodeText(new TextEncoder().encode("Müde 👶").buffer), "Müde 👶");
  assert.equal(decodeText(Uint8Array.from([0xff, 0xfe, 0x4d, 0x00]).buffer), "M");
});

test("a first line that names the separator, cells beyond the columns and rows without anything are passed over", () => {
  for (const [said, mark] of [["sep=;", ";"], ['"sep=;"', ";"], ["SEP=,", ","], ["sep=\t", "\t"], ["sep=|", "|"], ["sep=;;;", ";"]]) {
    const rows = [["a", "b"], ["1,5", "x"], ["", ""], ["2", "y"]].map((row) => row.join(mark).replace(",5", mark === "," ? "5" : ",5"));
    const table = readTable(`\uFEFF${said}\r\n${rows.join("\r\n")}`);
    assert.deepEqual(table.header, ["a", "b"], said);
    assert.deepEqual(table.rows.map(({ line, cells }) => [line, cells[1]]), [[3, "x"], [5, "y"]], said);
  }
  const table = readTable(",,,\na,b,,\n1,2,,\n,,,\n  , ,,\n3,,,\n4,5,6,\n");
  assert.deepEqual(table.header, ["a", "b"]);
  assert.deepEqual(table.rows.map(({ line, cells }) => [line, ...cells]), [[3, "1", "2"], [6, "3", ""], [7, "4", "5", "6"]]);
});

test("a separator within quotes of the first row separates nothing", () => {
  assert.deepEqual(readTable('"a, b, c";d\n1;2').header, ["a, b, c", "d"]);
});

test("no cell is a formula, and each is read again as it was", () => {
  const texts = ["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "'=1", "''=1", "'tis", "a=1", "-5", "+3,5", "-", "plain"];
  const { rows } = readTable(writeTable([["text"], ...texts.map((text) => [text])]));
  const written = rows.map(({ cells }) => cells[0]);
  assert.deepEqual(written.map(asWritten), texts);
  for (const cell of written) assert.ok(!/^[=+\-@\t\r\n]/.test(cell) || /^[+-]?\d+([.,]\d+)?$/.test(cell), cell);
  assert.equal(writeTable([["=1", 2, -3]]), "'=1,2,-3\r\n");
});
