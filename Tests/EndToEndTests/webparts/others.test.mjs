// Huckleberry's and Sprout Track's files, each with what makes it hard, up to what would be sent.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { english } from "./english.mjs";
import { decodeText } from "../../../deploy/www/app/transfer/csv.js";
import { guessChildren, guessUnits, UNDECIDED } from "../../../deploy/www/app/transfer/guess.js";
import { KINDS } from "../../../deploy/www/app/transfer/kinds.js";
import { prepare } from "../../../deploy/www/app/transfer/prepare.js";
import { childrenIn, recognise } from "../../../deploy/www/app/transfer/recognise.js";
import { useCatalog } from "../../../deploy/www/app/words.js";

const EMMA = "00000000-0000-7000-8000-00000000000a";
const now = Date.parse("2026-11-25T12:00:00Z");

/** Prepares a text as the screen does, in New York, with what the person says of it. */
async function plan(name, text, meaning = {}, here = new Map()) {
  const sources = [recognise(name, text)];
  const guessed = guessUnits(sources, false);
  return {
    source: sources[0], guessed,
    ...await prepare(sources, {
      children: Object.fromEntries(childrenIn(sources).map(({ key }) => [key, EMMA])), kinds: Object.keys(KINDS), family: "f", ours: [EMMA],
      here, made: new Map(), undone: new Set(), waiting: new Set(), now,
      meaning: { timezone: "America/New_York", dayStart: "07:00", ...guessed, ...meaning },
    }),
  };
}

const bytesOf = (name) => readFileSync(new URL(`../../Fixtures/import/${name}`, import.meta.url));
/** A file as the browser gives it: its bytes. */
function readFile(name, meaning) {
  const bytes = bytesOf(name);
  return plan(name, decodeText(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length)), meaning);
}
const lines = (...rows) => rows.join("\n");
const minute = (time) => time?.slice(0, 16);
/** Times to the minute, UTC: New York is five hours behind in winter. */
const shown = ({ events }) => events.map(({ kind, event: { occurred_at, started_at, ended_at, ...rest } }) =>
  [kind, [minute(occurred_at ?? started_at), minute(ended_at)].filter(Boolean).join(" "), rest]);
const refused = ({ problems }) => problems.map(({ line, reason }) => [line, reason]);

test("Huckleberry: each type as its own kind, with what has no place of its own in the note", async () => {
  const found = await readFile("huckleberry.csv");
  assert.equal(found.source.form.title, "Huckleberry");
  assert.deepEqual(found.source.columnsLeft, []);
  assert.deepEqual(refused(found), []);
  assert.deepEqual(shown(found), [
    ["feeding", "2026-02-25T12:00 2026-02-25T12:11", { type: "breast", side: "both", left_minutes: 4, right_minutes: 6 }],
    ["feeding", "2026-02-25T13:00 2026-02-25T13:09", { type: "breast", side: "left", left_minutes: 9, notes: "sleepy" }],
    ["feeding", "2026-02-25T14:00", { type: "bottle", content: "formula", amount_ml: 190 }],
    ["feeding", "2026-02-25T15:00", { type: "bottle", content: "breast_milk", amount_ml: 103.5 }],
    ["feeding", "2026-02-25T16:00", { type: "bottle", content: "other", amount_ml: 120, notes: "Cow Milk" }],
    ["feeding", "2026-02-25T16:30", { type: "bottle", amount_ml: 60 }],
    ["feeding", "2026-02-25T17:00", { type: "solid", food: "Carrot, sweet potato", notes: "first time\nReaction: loved" }],
    ["sleep", "2026-02-26T01:00 2026-02-26T11:00", { notes: "At the start: Calm\nWhere: Crib\nAt the end: Woke \"happy\"" }],
    ["sleep", "2026-02-25T18:00 2026-02-25T19:20", {}],
    ["pumping", "2026-02-25T09:30 2026-02-25T09:50", { side: "both", amount_ml: 40 }],
    ["pumping", "2026-02-25T10:30", { amount_ml: 59.1 }],
    ["medication", "2026-02-25T14:47", { name: "Paracetamol", dose: "2.5ml", notes: "after the nap" }],
    ["medication", "2026-02-25T14:48", { name: "Vitamin D", dose: "2.5" }],
    ["diaper", "2026-02-25T19:07", { type: "dirty", color: "green", notes: "Amount: poo medium" }],
    ["diaper", "2026-02-25T20:00", { type: "mixed", color: "yellow", notes: "Amount: pee medium, poo small\nConsistency: loose" }],
    ["diaper", "2026-02-25T21:00", { type: "mixed", notes: "changed by gran" }],
    ["diaper", "2026-02-25T22:00", { type: "wet", color: "other", notes: "Amount: pee large\nColor: purple" }],
    ["diaper", "2026-02-25T22:30", { type: "dry" }],
    ["diaper", "2026-02-25T23:00", { type: "wet", notes: "Potty\nAmount: pee small" }],
    ["measurement", "2026-02-25T17:01", { weight_g: 6660, length_cm: 62.5, head_cm: 41 }],
    ["temperature", "2026-02-26T04:40", { celsius: 37.6 }],
    ["activity", "2026-02-26T00:00 2026-02-26T00:05", { name: "Bath" }],
    ["activity", "2026-02-25T11:00 2026-02-25T11:15", { name: "Skin to skin" }],
    ["activity", "2026-02-25T11:30 2026-02-25T11:34", { name: "Tummy time" }],
  ]);
});

test("a second run adds nothing; in another zone it changes what is there", async () => {
  const text = bytesOf("huckleberry.csv").toString();
  const first = await plan("a.csv", text);
  const at = "2026-11-20T12:00:00.000Z";
  const here = new Map(first.events.map(({ id, kind, event }) =>
    [id, { type: kind, event: { id, child_id: EMMA, ...event, revision: 1, created_at: at, updated_at: at } }]));
  assert.equal(here.size, 24);
  const again = await plan("named otherwise.csv", text, {}, here);
  assert.deepEqual([again.events.length, again.changes.length, again.present], [0, 0, 24]);
  const west = await plan("a.csv", text, { timezone: "America/Los_Angeles" }, here);
  assert.deepEqual([west.events.length, west.changes.length], [0, 24]);
});

test("3 oz, 14 lb 11 oz, 14.7 lb, 24.6 in, 99.7 °F; a number without a unit is listed and never guessed", async () => {
  const found = await readFile("huckleberry-units.csv");
  assert.deepEqual(shown(found).map(([kind, , rest]) => [kind, rest]), [
    ["measurement", { weight_g: 6662, length_cm: 62.5, head_cm: 40.9 }], ["measurement", { weight_g: 6668 }],
    ["measurement", { weight_g: 3620, length_cm: 53 }], ["temperature", { celsius: 37.6 }],
    ["feeding", { type: "bottle", amount_ml: 88.7 }], ["feeding", { type: "bottle", amount_ml: 103.5 }],
  ]);
  assert.deepEqual(refused(found), [
    [8, "the amount “120” is in no unit we know"], [9, "the weight “14 stone” is in no unit we know"],
  ]);
});

test("decimal commas between semicolons", async () => {
  const found = await readFile("huckleberry-decimal-commas.csv");
  assert.deepEqual(refused(found), []);
  assert.deepEqual(shown(found).map(([, , rest]) => rest), [
    { type: "bottle", content: "formula", amount_ml: 103.5 }, { weight_g: 4250, length_cm: 62.5, head_cm: 41.3 }, { celsius: 37.6 },
    { side: "both", amount_ml: 100.5, notes: "links, dann rechts" }, { weight_g: 6668 },
  ]);
});

test("25/11/2026 says that days come first, for 3/4/2026 as well", async () => {
  const found = await readFile("huckleberry-day-first.csv");
  assert.equal(found.guessed.order, "dmy");
  assert.deepEqual(shown(found).map(([, time]) => time), [
    "2025-11-26T01:00 2025-11-26T11:00", "2026-04-03T17:00 2026-04-03T18:00", "2026-04-05T17:00 2026-04-05T18:00"]);
});

test("11/25/2026 says that months do", async () => {
  const found = await readFile("huckleberry-month-first.csv");
  assert.equal(found.guessed.order, "mdy");
  assert.deepEqual(shown(found).map(([, time]) => time), [
    "2025-11-26T01:00 2025-11-26T11:00", "2026-03-04T18:00 2026-03-04T19:00"]);
});

test("a file that allows both is asked about: nothing is read until somebody says it", async () => {
  const found = await readFile("huckleberry-either-first.csv");
  assert.equal(found.guessed.order, null);
  assert.equal(found.unclear.dates, 1);
  assert.deepEqual(refused(found), [[2, "the start “03/04/2026 13:00” can be read with the day or the month first"]]);
  const dates = async (order) => shown(await readFile("huckleberry-either-first.csv", { order })).map(([, time]) => time.slice(0, 10));
  assert.deepEqual(await dates("dmy"), ["2026-04-03", "2026-04-04"]);
  assert.deepEqual(await dates("mdy"), ["2026-03-04", "2026-04-04"]);
});

test("points stand between day and month alone; a file of both orders is asked about its unclear dates, and only these", async () => {
  const rows = (...starts) => ["Type,Start,End,Start Condition,End Condition", ...starts.map((start) => `Diaper,${start},,,Pee`)].join("\n");
  const times = async (text, meaning) => shown(await plan("a.csv", text, meaning)).map(([, time]) => time.slice(0, 10));
  assert.deepEqual(await times(rows("5.4.2026 13:00", "05.04.26 14:00")), ["2026-04-05", "2026-04-05"]);
  const both = rows("25/11/2025 10:00", "11/25/2025 10:00", "3/4/2026 10:00");
  assert.deepEqual(await times(both), ["2025-11-25", "2025-11-25"]);
  assert.equal((await plan("a.csv", both)).unclear.dates, 1);
  assert.deepEqual(await times(both, { order: "mdy" }), ["2025-11-25", "2025-11-25", "2026-03-04"]);
});

test("what a cell means beside others: minutes by the feed's length, a dose by the other column, a length that is no color", async () => {
  const found = await plan("a.csv", [
    "Type,Start,End,Duration,Start Condition,Start Location,End Condition,Notes",
    "Feed,2026-02-25 07:00,2026-02-25 07:10,0:10,10:00R,Breast,,", "Meds,2026-02-25 08:00,,,5 ml,Iron,,2.5",
    "Potty,2026-02-25 09:00,,0:05,,,Poo,", "Feed,2026-02-25 10:00,,,0:10R,Breast,0:05L,",
  ].join("\n"));
  assert.deepEqual(shown(found).map(([, time, rest]) => [time.slice(11), rest]), [
    ["12:00 2026-02-25T12:10", { type: "breast", side: "right", right_minutes: 10 }], ["13:00", { name: "Iron", dose: "5 ml", notes: "2.5" }],
    ["14:00", { type: "dirty", notes: "Potty" }], ["15:00 2026-02-25T15:15", { type: "breast", side: "both", left_minutes: 5, right_minutes: 10 }],
  ]);
});

test("clocks of twelve hours: half past midnight, a quarter past noon, p.m. in any form", async () => {
  const found = await readFile("huckleberry-twelve-hours.csv");
  assert.deepEqual(shown(found).map(([, time]) => time), [
    "2026-02-25T05:30 2026-02-25T11:00", "2026-02-25T17:15 2026-02-25T18:05", "2026-02-26T04:59"]);
  assert.deepEqual(refused(found), [[5, "the start “2026-02-25 13:30 PM” is no time like 2026-02-25 07:30:00"]]);
});

test("empty columns, empty rows and rows that end early; a column that isn't taken is named", async () => {
  const found = await readFile("huckleberry-empty-columns.csv");
  assert.deepEqual(found.source.columnsLeft.filter(Boolean), ["Device"]);
  assert.deepEqual(shown(found).map(([kind]) => kind), ["feeding", "diaper"]);
  assert.deepEqual(refused(found), []);
});

test("lines that end with CR alone, also inside quotes", async () => {
  const found = await readFile("huckleberry-cr.csv");
  assert.deepEqual(shown(found).map(([kind, , { notes }]) => [kind, notes]), [["feeding", "two\rlines"], ["diaper", undefined]]);
  assert.deepEqual(refused(found), [[5, "there is no start"]]);
});

test("a byte order mark before the header", async () => {
  assert.equal(bytesOf("huckleberry-bom.csv")[0], 0xef);
  assert.deepEqual(shown(await readFile("huckleberry-bom.csv")).map(([kind]) => kind), ["diaper"]);
});

test("Windows-1252", async () => {
  const found = await readFile("huckleberry-windows-1252.csv");
  assert.deepEqual(shown(found).map(([, , rest]) => rest), [
    { celsius: 37.6, notes: "après le bain" }, { type: "solid", food: "Crème brûlée" }]);
});

test("breast feeds without a side: a person says which, and minutes are read as the feed's length has them", async () => {
  const found = await readFile("huckleberry-sides.csv");
  assert.deepEqual(shown(found), [
    ["feeding", "2026-02-25T14:15 2026-02-25T14:35", { type: "breast", side: "both", notes: "10:00 + 08:30" }],
    ["feeding", "2026-02-25T17:00 2026-02-25T17:12", { type: "breast", side: "right", right_minutes: 12 }],
  ]);
  assert.equal(found.unclear.sides, 2);
  assert.deepEqual(refused(found), [
    [3, "it doesn’t say at which side it was"], [5, "it doesn’t say at which side it was"],
    [6, "“soon” is no time at a side like 00:06R"], [7, "“Cup” is neither breast nor bottle"],
  ]);
  const said = await readFile("huckleberry-sides.csv", { side: "left" });
  assert.deepEqual(shown(said).filter(([, , { side }]) => side === "left").map(([, time]) => time),
    ["2026-02-25T16:00 2026-02-25T16:10", "2026-02-25T18:00 2026-02-25T18:10"]);
});

test("Sprout Track 1.6.3: clocks alone with nights to the next day, and what has no kind here as a note", async () => {
  const found = await readFile("sprout-track-1.6.3.csv");
  assert.equal(found.source.form.title, "Sprout Track");
  assert.deepEqual(found.source.columnsLeft, ["Caretaker"]);
  assert.deepEqual(shown(found), [
    ["sleep", "2026-02-26T02:00 2026-02-26T11:15", { type: "night", notes: "Location: Crib; Quality: Good" }],
    ["sleep", "2026-02-25T18:00 2026-02-25T19:00", { type: "nap" }],
    ["feeding", "2026-02-25T05:05 2026-02-25T05:15", { type: "breast", side: "left" }],
    ["feeding", "2026-02-25T13:00", { type: "bottle", content: "mixed", amount_ml: 120, notes: "Breast milk in it: 60 ml" }],
    ["feeding", "2026-02-25T15:00", { type: "bottle", content: "breast_milk", amount_ml: 88.7 }],
    ["feeding", "2026-02-25T16:00", { type: "solid", food: "Pear", notes: "Amount: 3 tbsp" }],
    ["diaper", "2026-02-25T16:30", { type: "mixed", color: "yellow", notes: "Consistency: loose\nBlowout" }],
    ["note", "2026-02-25T16:40", { content: "Ask about, \"spots\"\nCategory: Doctor" }],
    ["activity", "2026-02-25T23:00", { name: "Bath", notes: "Soap; Shampoo" }],
    ["pumping", "2026-02-25T12:00 2026-02-25T12:20", { side: "both", amount_ml: 110 }],
    ["discard", "2026-02-25T12:30", { amount_ml: 40, notes: "Expired" }],
    ["note", "2026-02-25T20:00", { content: "Milestone, Motor\nRolled over; On the mat" }],
    ["measurement", "2026-02-25T13:30", { weight_g: 6668 }],
    ["temperature", "2026-02-25T13:31", { celsius: 37.6 }],
    ["measurement", "2026-02-25T13:32", { length_cm: 62.5 }],
    ["medication", "2026-02-25T14:30", { name: "Paracetamol", dose: "2.5 ml" }],
    ["activity", "2026-02-25T21:00 2026-02-25T21:05", { name: "Tummy Time" }],
    ["note", "2026-02-25T22:00", { content: "Vaccine\nMMR; Dose #1" }],
    ["diaper", "2026-03-04T13:00", { type: "wet" }],
    ["feeding", "2026-02-25T17:00", { type: "solid", food: "Egg", notes: "Common allergen\nReaction: redness\nLoved" }],
  ]);
  assert.deepEqual(refused(found), [
    [13, "milk that was added to the stock by hand was not pumped then"], [23, "“Juggling” is no kind we know"],
  ]);
});

test("in another zone a second run moves the end with the start", async () => {
  const text = lines('"Date","Time","Activity Type","Sub-Type","Start Time","End Time","Duration","Amount","Unit","Details","Notes","Caretaker"',
    '"02/25/2026","01:00 PM","Sleep","Nap","01:00 PM","02:00 PM","1 hr","","","","",""');
  const { events } = await plan("log.csv", text);
  const here = new Map(events.map(({ id, kind, event }) => [id, {
    type: kind, event: { id, child_id: EMMA, ...event, revision: 1, created_at: "2026-11-20T12:00:00.000Z", updated_at: "2026-11-20T12:00:00.000Z" },
  }]));
  const { changes } = await plan("log.csv", text, { timezone: "Europe/Berlin" }, here);
  assert.deepEqual(changes.map(({ patch }) => patch), [{ started_at: "2026-02-25T12:00:00.000Z", ended_at: "2026-02-25T13:00:00.000Z" }]);
});

test("two logs are two children's, and a person says whose; a file's name is no part of the ids", async () => {
  const log = lines("Type,Start,End,Duration,Start Condition,Start Location,End Condition,Notes", "Diaper,2026-02-25 07:00,,,,,Pee,");
  const found = childrenIn(["mia.csv", "leo.csv"].map((name) => recognise(name, log)));
  assert.deepEqual(found.map(({ label, count }) => [label, count]), [["mia.csv", 1], ["leo.csv", 1]]);
  const ours = [{ id: EMMA, name: "Emma" }, { id: "n", name: "Noah" }];
  assert.deepEqual(Object.values(guessChildren(found, ours, ours[0])), [UNDECIDED, UNDECIDED]);
  const ids = async (name) => (await plan(name, log)).events.map(({ id }) => id);
  assert.deepEqual(await ids("mia.csv"), await ids("again (1).csv"));
  assert.equal((await ids("mia.csv")).length, 1);
});

test("ten thousand rows are looked through in a fraction of what sending them takes", async () => {
  const rows = Array.from({ length: 10_000 }, (_, place) => {
    const start = new Date(Date.UTC(2026, 0, 1) + place * 30 * 60_000).toISOString().slice(0, 16).replace("T", " ");
    return `Feed,${start},,,Formula,Bottle,${60 + place % 90}ml,`;
  });
  const text = ["Type,Start,End,Duration,Start Condition,Start Location,End Condition,Notes", ...rows].join("\n");
  const began = performance.now();
  const found = await plan("many.csv", text);
  assert.equal(found.events.length, 10_000);
  assert.ok(performance.now() - began < 10_000);
});

test("a file makes the same entries whatever the reader's language; only what is wrong with a row is said in it", async (context) => {
  const babyBuddy = "id,child_id,start,end,type,method,amount,notes\n7,1,2026-02-25 07:00:00,,formula,bottle,120,\n8,1,soon,,formula,bottle,120,\n";
  const all = async () => [await readFile("huckleberry.csv"), await readFile("sprout-track-1.6.3.csv"), await plan("feedings.csv", babyBuddy)];
  const before = await all();
  const shouted = (message) => typeof message === "string" ? `»${message}«`
    : Object.fromEntries(Object.entries(message).map(([form, text]) => [form, shouted(text)]));
  useCatalog("de", Object.fromEntries(Object.entries(english).map(([id, message]) => [id, shouted(message)])));
  context.after(() => useCatalog("en", english));
  const after = await all();
  assert.ok(before.every(({ events }) => events.length));
  assert.deepEqual(after.map(({ events, guessed }) => [events, guessed]), before.map(({ events, guessed }) => [events, guessed]));
  assert.deepEqual(refused(after[2]), [[3, "»the start “soon” is no time like 2026-02-25 07:30:00«"]]);
});
