// Baby Buddy's files and our own export, up to what would be sent.

import assert from "node:assert/strict";
import { test } from "node:test";
import "./english.mjs";
import { idsOf } from "../../../deploy/www/app/transfer/ids.js";
import { exportJSON, exportTable } from "../../../deploy/www/app/transfer/export.js";
import { FIRST_KINDS, KINDS, kindsKnownTo } from "../../../deploy/www/app/transfer/kinds.js";
import { guessChildren, guessUnits, UNDECIDED } from "../../../deploy/www/app/transfer/guess.js";
import { prepare, rejectedTable } from "../../../deploy/www/app/transfer/prepare.js";
import { answered, childrenIn, recognise } from "../../../deploy/www/app/transfer/recognise.js";

const EMMA = "00000000-0000-7000-8000-00000000000a";
const NOAH = "00000000-0000-7000-8000-00000000000b";
const now = Date.parse("2026-11-25T12:00:00Z");
const meaning = { timezone: "America/New_York", dayStart: "07:00", volume: "ml", weight: "kg", length: "cm" };

/** Prepares files, all for Emma unless said otherwise. */
async function prepared(files, more = {}) {
  const sources = Object.entries(files).map(([name, text]) => recognise(name, text));
  const children = more.children ?? Object.fromEntries(childrenIn(sources).map(({ key }) => [key, EMMA]));
  const result = await prepare(sources, {
    children, kinds: Object.keys(KINDS), family: "f", ours: [EMMA, NOAH], here: new Map(), made: new Map(), undone: new Set(), waiting: new Set(), now,
    ...more, meaning: { ...meaning, ...more.meaning },
  });
  return { sources, ...result };
}
/** What was prepared as it is when it has been sent. */
const sent = (events, more = {}) => new Map(events.map(({ id, kind, child, event }) => [id, {
  type: kind, event: { id, child_id: child, ...event, revision: 1, created_at: "2026-11-20T12:00:00.000Z", updated_at: "2026-11-20T12:00:00.000Z", ...more },
}]));
const eventsOf = async (name, text, more) =>
  (await prepared({ [name]: text }, more)).events.map(({ kind, event }) => ({ kind, ...event }));
const reasonsOf = async (name, text, more) =>
  (await prepared({ [name]: text }, more)).problems.map(({ line, reason }) => [line, reason]);
const lines = (...rows) => rows.join("\n");

test("feedings: breast with side, bottle with content, solid food and fed", async () => {
  const found = await eventsOf("feeding.csv", [
    "child_id,start,end,type,method,amount,notes",
    "1,2026-02-25 07:00:00,2026-02-25 07:20:00,breast milk,left breast,,",
    "1,2026-02-25 08:00:00,2026-02-25 08:20:00,breast milk,both breasts,,sleepy",
    "1,2026-02-25 10:00:00,2026-02-25 10:10:00,formula,bottle,120.04,",
    "1,2026-02-25 11:00:00,2026-02-25 11:10:00,breast milk,bottle,90,",
    "1,2026-02-25 12:00:00,2026-02-25 12:10:00,fortified breast milk,bottle,0,",
    "1,2026-02-25 13:00:00,2026-02-25 13:10:00,solid food,self fed,40,Pear",
    "1,2026-02-25 14:00:00,2026-02-25 14:10:00,formula,parent fed,,",
  ].join("\n"));
  assert.deepEqual(found.map(({ started_at, ended_at, ...rest }) => rest), [
    { kind: "feeding", type: "breast", side: "left" },
    { kind: "feeding", type: "breast", side: "both", notes: "sleepy" },
    { kind: "feeding", type: "bottle", content: "formula", amount_ml: 120 },
    { kind: "feeding", type: "bottle", content: "breast_milk", amount_ml: 90 },
    { kind: "feeding", type: "bottle", content: "mixed" },
    { kind: "feeding", type: "solid", notes: "Pear\nAmount: 40" },
    { kind: "feeding", type: "solid", food: "formula" },
  ]);
  assert.equal(found[0].started_at, "2026-02-25T12:00:00.000Z");
  assert.equal(found[0].ended_at, "2026-02-25T12:20:00.000Z");
});

test("the admin's export: other columns in another order, and those that aren't taken are named", async () => {
  const text = [
    "id,child,child_first_name,child_last_name,start,end,duration,type,method,amount,notes,tags",
    "7,1,Emma,Miller,2026-02-25 07:00:00,2026-02-25 07:20:00,0:20:00,Formula,Bottle,4,,night;long",
  ].join("\n");
  const { sources, events } = await prepared({ "Feeding-2026.csv": text }, { meaning: { volume: "oz" } });
  assert.deepEqual(sources[0].columnsLeft, ["tags"]);
  assert.equal(childrenIn(sources)[0].label, "Emma Miller");
  assert.equal(events[0].event.amount_ml, 118.3);
});

test("medicines of Baby Buddy 2.10", async () => {
  const { sources, events } = await prepared({ "export.csv": lines(
    "child_id,name,dosage,dosage_unit,time,next_dose_interval,notes,tags",
    "1,Paracetamol,2.50,ml,2026-02-25 13:00:00,04:00:00,after the nap,", "1,Vitamin D,10.0,drops,2026-02-25 08:00:00,,,",
    "1,Zinc ointment,,,2026-02-25 09:00:00,,,") });
  assert.deepEqual(events.map(({ kind, event: { occurred_at, ...rest } }) => ({ kind, ...rest })), [
    { kind: "medication", name: "Paracetamol", dose: "2.5 ml", notes: "after the nap" },
    { kind: "medication", name: "Vitamin D", dose: "10 drops" }, { kind: "medication", name: "Zinc ointment" },
  ]);
  assert.deepEqual(sources[0].columnsLeft, ["next_dose_interval", "tags"]);
});

test("a file of columns that anything may have is what a person says, or its name, or a child's column", async () => {
  const nights = lines("Subject,Start,End,Notes", "Dentist,2026-02-25 13:00:00,2026-02-25 14:00:00,");
  const asked = recognise("calendar.csv", nights);
  assert.equal(asked.is, "asked");
  assert.deepEqual(asked.forms.map(({ title }) => title), ["Sleeps", "Tummy times"]);
  const nothing = await prepared({ "calendar.csv": nights });
  assert.deepEqual([nothing.events, nothing.problems], [[], []]);
  assert.equal(answered(asked, "Sleeps").form.kind, "sleep");
  assert.equal(answered(asked, "Sleeps").asked, asked);
  assert.equal(answered(asked, "").isLeftOut, true);
  assert.equal(recognise("naps.csv", nights).form.title, "Sleeps");
  assert.equal(recognise("tummytime.csv", nights).form.title, "Tummy times");
  assert.equal(recognise("x.csv", lines("child,start,end", "Emma,2026-02-25 13:00:00,2026-02-25 14:00:00")).form.title, "Sleeps");
  const milk = lines("time,amount", "2026-02-25 13:00:00,120");
  assert.deepEqual(recognise("x.csv", milk).forms.map(({ title }) => title), ["Pumpings", "Bottles"]);
  const bottles = await prepare([answered(recognise("x.csv", milk), "Bottles")], {
    children: { "table:": EMMA }, kinds: Object.keys(KINDS), family: "f", ours: [EMMA], here: new Map(), made: new Map(),
    undone: new Set(), waiting: new Set(), now, meaning });
  assert.deepEqual(bottles.events.map(({ event: { started_at, ...rest } }) => rest), [{ type: "bottle", amount_ml: 120 }]);
  // Rows that say themselves of which type they are are of several kinds.
  assert.equal(recognise("export.csv", lines("Type,Start,End,Details", "Feed,2026-02-25 13:00,2026-02-25 13:20,left")).is, "unknown");
});

test("sleep: naps and nights of newer versions, neither of older ones", async () => {
  const found = await eventsOf("sleep.csv",
    lines("child_id,start,end,nap,notes", "1,2026-02-25 13:00:00,2026-02-25 14:00:00,1,",
      "1,2026-02-25 20:00:00,2026-02-26 06:00:00,False,"));
  assert.deepEqual(found.map(({ type }) => type), ["nap", "night"]);
  const older = await eventsOf("sleep.csv", "child_id,start,end,notes\n1,2026-02-25 13:00:00,2026-02-25 14:00:00,calm");
  assert.deepEqual(older, [{ kind: "sleep", started_at: "2026-02-25T18:00:00.000Z",
    ended_at: "2026-02-25T19:00:00.000Z", notes: "calm" }]);
});

test("diapers: wet and solid is mixed, neither is dry", async () => {
  const found = await eventsOf("diaperchange.csv", [
    "child_id,time,wet,solid,color,amount", "1,2026-02-25 07:00:00,1,0,,", "1,2026-02-25 08:00:00,0,1,Yellow,2.5",
    "1,2026-02-25 09:00:00,True,True,,", "1,2026-02-25 10:00:00,0,0,purple,",
  ].join("\n"));
  assert.deepEqual(found.map(({ type, color, notes }) => [type, color, notes]), [
    ["wet", undefined, undefined], ["dirty", "yellow", "Amount: 2.5"], ["mixed", undefined, undefined],
      ["dry", "other", undefined],
  ]);
});

test("notes, pumpings, temperatures, measurements, tummy times", async () => {
  const { events } = await prepared({
    "note.csv": "child_id,note,time\n1,\"First smile, at last\",2026-02-25 07:00:00",
    "pumping.csv": "child_id,start,end,amount\n1,2026-02-25 07:00:00,2026-02-25 07:15:00,80",
    "pumping-old.csv": "child_id,time,amount\n1,2026-02-25 07:00:00,80",
    "temperature.csv": "child_id,temperature,time\n1,37.2,2026-02-25 07:00:00\n1,100.4,2026-02-25 08:00:00",
    "weight.csv": "child_id,value,date\n1,4.25,2026-02-25",
    "height.csv": "child_id,height,date\n1,54.5,2026-02-25",
    "headcircumference.csv": "child_id,value,date\n1,38.14,2026-02-25",
    "tummytime.csv": "child_id,start,end,milestone\n1,2026-02-25 09:00:00,2026-02-25 09:05:00,lifted head",
  });
  assert.deepEqual(events.map(({ kind, event: { occurred_at, started_at, ended_at, ...rest } }) => [kind, rest]), [
    ["note", { content: "First smile, at last" }], ["pumping", { amount_ml: 80 }], ["pumping", { amount_ml: 80 }],
    ["temperature", { celsius: 37.2 }], ["temperature", { celsius: 38 }], ["measurement", { weight_g: 4250 }],
    ["measurement", { length_cm: 54.5 }], ["measurement", { head_cm: 38.1 }],
      ["activity", { name: "Tummy time", notes: "lifted head" }],
  ]);
  // A day without a time is where the person's day starts, so that it shows on that day.
  assert.equal(events.find(({ event }) => event.weight_g).event.occurred_at, "2026-02-25T12:00:00.000Z");
});

test("pounds, inches", async () => {
  const imperial = { meaning: { weight: "lb", length: "in" } };
  assert.equal((await eventsOf("weight.csv", "child_id,weight,date,notes\n1,9.5,2026-02-25,", imperial))[0].weight_g,
    4309);
  assert.equal((await eventsOf("height.csv", "child_id,height,date\n1,21.5,2026-02-25", imperial))[0].length_cm, 54.6);
});

test("times of the file's zone across a change of clocks, and times that say their offset", async () => {
  const found = await eventsOf("note.csv", [
    "note,time", "skipped,2026-03-08 02:30:00", "twice,2026-11-01 01:30:00", "offset,2026-02-25 07:00:00+01:00",
      "UTC,2026-02-25T07:00:00Z",
    "fraction,2026-02-25 07:00:00.250000",
  ].join("\n"));
  assert.deepEqual(found.map(({ occurred_at }) => occurred_at), [
    "2026-03-08T07:30:00.000Z", "2026-11-01T06:30:00.000Z", "2026-02-25T06:00:00.000Z", "2026-02-25T07:00:00.000Z",
      "2026-02-25T12:00:00.250Z",
  ]);
});

test("what can't be read is named with its line and why", async () => {
  assert.deepEqual(await reasonsOf("feeding.csv", [
    "child_id,start,end,type,method,amount,notes",
    "1,yesterday,2026-02-25 07:20:00,formula,bottle,60,",
    "1,2026-02-30 07:00:00,2026-02-25 07:20:00,formula,bottle,60,",
    "1,,2026-02-25 07:20:00,formula,bottle,60,",
    "1,2026-02-25 07:00:00,2026-02-25 07:20:00,formula,spoon,60,",
    "1,2026-02-25 07:00:00,2026-02-25 07:20:00,formula,bottle,lots,",
    "1,2026-02-25 07:00:00,2026-02-25 07:20:00,formula,bottle,60,,,,extra",
  ].join("\n")), [
    [2, "the start “yesterday” is no time like 2026-02-25 07:30:00"],
    [3, "the start “2026-02-30 07:00:00” is no time like 2026-02-25 07:30:00"],
    [4, "there is no start"], [5, "the method “spoon” is none we know"], [6, "the amount “lots” is no number"],
    [7, "the row has more cells than there are columns"],
  ]);
});

test("what our rules refuse is named before anything is sent", async () => {
  assert.deepEqual(await reasonsOf("sleep.csv", [
    "child_id,start,end", "1,2026-02-25 07:00:00,2026-02-26 07:00:01", "1,2026-02-25 07:00:00,2026-02-25 06:00:00",
    "1,2026-11-25 07:00:00,2026-11-25 08:00:00", "1,2026-02-25 07:00:00,", "1,2026-02-25 07:00:00,2026-02-26 07:00:00",
  ].join("\n")), [
    [2, "it lasts over 24 hours"], [3, "it ends before it starts"], [4, "it is in the future"],
      [5, "it has no end and began over 24 hours ago"],
  ]);
  assert.deepEqual(await reasonsOf("feeding.csv",
    "start,end,type,method,amount\n2026-02-25 07:00:00,,formula,bottle,1001\n2026-02-25 07:00:00,,formula,bottle,-5"),
    [[2, "the amount isn’t between 0 and 1000 ml".replace("’", "'")], [3, "the amount isn't between 0 and 1000 ml"]]);
  assert.deepEqual(await reasonsOf("note.csv", `note,time\n${"x".repeat(5001)},2026-02-25 07:00:00`),
    [[2, "the text is longer than 5000 characters"]]);
});

const DIAPERS = { "diaperchange.csv": lines("child_id,time,wet,solid", "1,2026-02-25 07:00:00,1,0", "1,2026-02-25 07:00:00,1,0",
  "1,2026-02-25 08:00:00,1,0") };
const counts = ({ events, changes, edited, present }) => [events.length, changes.length, edited.length, present];

test("importing again adds nothing; rows that are alike stay as many as they were", async () => {
  const first = await prepared(DIAPERS);
  const ids = first.events.map(({ id }) => id);
  assert.equal(new Set(ids).size, 3);
  for (const id of ids) assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  // After a run that was cut off, the rest.
  const second = await prepared(DIAPERS, { here: sent(first.events.slice(0, 2)) });
  assert.deepEqual(second.events.map(({ id }) => id), [ids[2]]);
  assert.equal(second.present, 2);
  // Rows before them, and other columns in another order, move none.
  const more = await prepared({
    "x.csv": lines("wet,solid,time,notes,child_id,duration", "0,1,2026-02-24 08:00:00,,1,5", "1,0,2026-02-25 07:00:00,,1,5", "1,0,2026-02-25 07:00:00,,1,5"),
  }, { here: sent(first.events) });
  assert.deepEqual(counts(more), [1, 0, 0, 2]);
  // Another family has others.
  const other = await prepared(DIAPERS, { family: "g" });
  assert.equal(other.events.filter(({ id }) => ids.includes(id)).length, 0);
});

test("the same rows out of another version's export, and what an earlier version of this app imported, say the same: nothing is doubled", async () => {
  const { events } = await prepared(DIAPERS);
  const newer = {
    "x.csv": lines("id,solid,wet,time,notes,child_first_name", "3,False,True,2026-02-25 08:00:00,,Emma",
      "1,False,True,2026-02-25 07:00:00,,Emma", "2,False,True,2026-02-25 07:00:00,,Emma", "4,False,True,2026-02-25 09:00:00,,Emma"),
  };
  assert.deepEqual(counts(await prepared(newer, { here: sent(events) })), [1, 0, 0, 3]);
  // Ids that were made from the events (of the version before 2026-12): also where somebody has corrected one since.
  const [former] = await idsOf([["baby-basics-import", "diaper", EMMA, { occurred_at: "2026-02-25T12:00:00.000Z", type: "wet" }]]);
  const here = sent([{ id: former, kind: "diaper", child: EMMA, event: { occurred_at: "2026-02-25T12:00:00.000Z", type: "mixed" } }]);
  assert.deepEqual(counts(await prepared(DIAPERS, { here })), [2, 0, 0, 1]);
  // One that was logged by hand is one of the two that are alike.
  const hand = sent([{ id: "018f0000-0000-7000-8000-000000000001", kind: "diaper", child: EMMA, event: { occurred_at: "2026-02-25T12:00:00Z", type: "wet" } }]);
  assert.deepEqual(counts(await prepared(DIAPERS, { here: hand })), [2, 0, 0, 1]);
});

test("with other answers the same rows are the same entries: zone, unit and child change what is there", async () => {
  const files = { "feeding.csv": lines("id,child_id,start,end,type,method,amount", "7,1,2026-02-25 07:00:00,2026-02-25 07:20:00,formula,bottle,4",
    ",1,2026-02-25 09:00:00,,formula,bottle,5"), ...DIAPERS };
  const first = await prepared(files);
  const here = sent(first.events);
  const second = await prepared(files, { here, meaning: { timezone: "Europe/Berlin", volume: "oz" } });
  assert.deepEqual(counts(second), [0, 5, 0, 0]);
  assert.deepEqual(second.changes[0].patch, { started_at: "2026-02-25T06:00:00.000Z", ended_at: "2026-02-25T06:20:00.000Z", amount_ml: 118.3 });
  assert.deepEqual(second.changes.map(({ id }) => id), first.events.map(({ id }) => id));
  const moved = await prepared(files, { here, children: { "table:1": NOAH } });
  assert.deepEqual(counts(moved), [0, 5, 0, 0]);
  assert.deepEqual(moved.changes[3].patch, { child_id: NOAH });
  // A row that was corrected where it came from, and one whose type of feed was.
  const corrected = { "feeding.csv": lines("id,child_id,start,end,type,method,amount", "7,1,2026-02-25 07:00:00,2026-02-25 07:20:00,breast milk,left breast,") };
  assert.deepEqual((await prepared(corrected, { here })).changes[0].patch, { type: "breast", side: "left" });
});

test("what somebody changed since stays, and is named; what a second run changed is not somebody's", async () => {
  const first = await prepared(DIAPERS);
  const berlin = { meaning: { timezone: "Europe/Berlin" } };
  const [one, two, three] = first.events;
  const later = { updated_at: "2026-11-21T12:00:00.000Z" };
  // A server of before and one that says who changed it.
  for (const more of [later, { updated_by: { user_id: "u", name: "Rosa" } }]) {
    const here = new Map([...sent([one], more), ...sent([two, three], more.updated_by && { updated_by: null })]);
    const second = await prepared(DIAPERS, { here, ...berlin });
    assert.deepEqual(counts(second), [0, 2, 1, 0]);
    assert.equal(second.edited[0].id, one.id);
  }
  // As this device remembers it: changed by the second run, and by that alone.
  const changed = sent([{ ...one, event: { ...one.event, occurred_at: "2026-02-25T06:00:00.000Z" } }], later);
  const asNoted = new Map([[one.id, { child_id: EMMA, event: { ...one.event, occurred_at: "2026-02-25T06:00:00.000Z" } }]]);
  assert.deepEqual(counts(await prepared(DIAPERS, { here: changed, made: asNoted })), [2, 1, 0, 0]);
  assert.deepEqual(counts(await prepared(DIAPERS, { here: changed, made: new Map([[one.id, { child_id: EMMA, event: one.event }]]) })), [2, 0, 1, 0]);
  // Changed here and not sent yet.
  assert.deepEqual(counts(await prepared(DIAPERS, { here: sent(first.events), waiting: new Set([two.id]), ...berlin })), [0, 2, 1, 0]);
});

test("what was undone can be imported again, and then is what it is", async () => {
  const first = await prepared(DIAPERS);
  const undone = new Set(first.events.map(({ id }) => id));
  const again = await prepared(DIAPERS, { undone });
  assert.deepEqual(counts(again), [3, 0, 0, 0]);
  assert.equal(again.events.filter(({ id }) => undone.has(id)).length, 0);
  assert.deepEqual(counts(await prepared(DIAPERS, { undone, here: sent(again.events) })), [0, 0, 0, 3]);
  // On a device that doesn't know of it, and after that was forgotten; with other answers it is changed.
  assert.deepEqual(counts(await prepared(DIAPERS, { here: sent(again.events), meaning: { timezone: "Europe/Berlin" } })), [0, 3, 0, 0]);
  const twice = await prepared(DIAPERS, { undone: new Set([...undone, ...again.events.map(({ id }) => id)]) });
  assert.equal(new Set([...undone, ...again.events.map(({ id }) => id), ...twice.events.map(({ id }) => id)]).size, 9);
});

test("rows that name no child are asked about when they are with another child already", async () => {
  const files = { "note.csv": lines("note,time", "a,2026-02-25 07:00:00", "b,2026-02-25 08:00:00") };
  const { events } = await prepared(files);
  const here = sent(events);
  const noah = { here, children: { "table:": NOAH } };
  const asked = await prepared(files, noah);
  assert.deepEqual([...counts(asked), asked.elsewhere], [0, 0, 0, 0, 2]);
  const moved = await prepared(files, { ...noah, elsewhere: "move" });
  assert.deepEqual([moved.changes.map(({ patch }) => patch), moved.elsewhere], [[{ child_id: NOAH }, { child_id: NOAH }], 0]);
  // Those that came in anew after they were undone as well.
  const anew = await prepared(files, { undone: new Set(here.keys()) });
  assert.equal((await prepared(files, { ...noah, here: sent(anew.events) })).elsewhere, 2);
  const both = await prepared(files, { ...noah, elsewhere: "add" });
  assert.deepEqual(counts(both), [2, 0, 0, 0]);
  assert.equal(both.events.filter(({ id }) => here.has(id)).length, 0);
});

test("children are told apart, matched by name, and can be left out", async () => {
  const text = lines("child_first_name,child_last_name,note,time", "Emma,Miller,a,2026-02-25 07:00:00",
    "Noah,Miller,b,2026-02-25 07:00:00", "Pet,,c,2026-02-25 07:00:00");
  const found = childrenIn([recognise("note.csv", text)]);
  const ours = [{ id: EMMA, name: "Emma" }, { id: NOAH, name: "noah miller" }];
  const guess = guessChildren(found, ours, ours[0]);
  assert.deepEqual(guess, { "table:Emma Miller": EMMA, "table:Noah Miller": NOAH, "table:Pet": UNDECIDED });
  const waiting = await prepared({ "note.csv": text }, { children: guess });
  assert.deepEqual([waiting.events.length, waiting.undecided], [2, 1]);
  const { events, leftOut } = await prepared({ "note.csv": text }, { children: { ...guess, "table:Pet": "" } });
  assert.deepEqual(events.map(({ child, event }) => [child, event.content]), [[EMMA, "a"], [NOAH, "b"]]);
  assert.equal(leftOut, 1);
});

test("never two children of the files to one of ours, unless a person says so", () => {
  const named = (...labels) => labels.map((label) => ({ key: label, label, id: null, count: 1 }));
  const guess = (labels, ...names) => {
    const ours = names.map((name) => ({ id: `our ${name}`, name }));
    const guessed = guessChildren(named(...labels), ours, ours[0]);
    return labels.map((label) => guessed[label]);
  };
  assert.deepEqual(guess(["Baby A Smith", "Baby B Smith"], "Baby A"), ["our Baby A", UNDECIDED]);
  assert.deepEqual(guess(["Baby A Smith", "Baby B Smith"], "Baby A", "Baby B"), ["our Baby A", "our Baby B"]);
  assert.deepEqual(guess(["Baby One", "Baby Two"], "Baby"), [UNDECIDED, UNDECIDED]);
  assert.deepEqual(guess(["1", "2"], "Emma"), [UNDECIDED, UNDECIDED]);
  assert.deepEqual(guess(["1", "2"], "Emma", "Noah"), [UNDECIDED, UNDECIDED]);
  assert.deepEqual(guess(["1"], "Emma", "Noah"), ["our Emma"]);
  assert.deepEqual(guess(["Emma", "Emma Rose"], "Emma"), ["our Emma", UNDECIDED]);
  assert.deepEqual(guess(["ÉMILE  Durand", "Zoé Durand"], "Émile", "Zoé"), ["our Émile", "our Zoé"]);
  assert.deepEqual(guess(["", "Emma"], "Emma"), [UNDECIDED, "our Emma"]);
  assert.deepEqual(guess(["Emma Smith"], "Emma A", "Emma B"), ["our Emma A"]);
  // An export of ours: the id goes before the name.
  const twins = [{ key: "export:y", label: "Emma", id: "x", count: 1 }, { key: "export:x", label: "Emma", id: "our Emma", count: 1 }];
  assert.deepEqual(guessChildren(twins, [{ id: "our Emma", name: "Emma" }], { id: "our Emma" }), { "export:x": "our Emma", "export:y": UNDECIDED });
});

test("decimal commas in files; what can be read two ways is decided by the file's other numbers, else asked", async () => {
  const feeds = (...amounts) => lines("start,end,type,method,amount", ...amounts.map((amount) => `2026-02-25 07:00:00,,formula,bottle,"${amount}"`));
  const amounts = async (text, more) => (await eventsOf("feeding.csv", text, more)).map(({ amount_ml }) => amount_ml);
  assert.deepEqual(await amounts(feeds("112,5", "112.5", "3,5oz", "3.5 fl oz", "120 ml", "0,5")), [112.5, 112.5, 103.5, 103.5, 120, 0.5]);
  assert.deepEqual(await reasonsOf("feeding.csv", feeds("1,000", "12 spoons")),
    [[2, "the amount “1,000” can be read as 1 or 1000"], [3, "the amount “12 spoons” is in no unit we know"]]);
  assert.equal((await prepared({ "feeding.csv": feeds("1,000") })).unclear.decimals, 1);
  assert.deepEqual(await amounts(feeds("1,000"), { meaning: { mark: "," } }), [1]);
  assert.deepEqual(await amounts(feeds("1,000"), { meaning: { mark: "." } }), [1000]);
  const mark = (...texts) => guessUnits([recognise("feeding.csv", feeds(...texts))], false).mark;
  assert.deepEqual([mark("112,5", "1,000"), mark("112.5", "1,000"), mark("1,000"), mark("112,5", "3.5"), mark("120")], [",", ".", null, null, null]);
  assert.equal(guessUnits([recognise("feeding.csv", feeds("3,5", "4,5"))], false).volume, "oz");
  const weights = (unit) => eventsOf("weight.csv", 'weight,date\n"4,250",2026-02-25', { meaning: { weight: unit } });
  assert.equal((await weights("kg"))[0].weight_g, 4250);
  assert.equal((await weights("g"))[0].weight_g, 4250);
  assert.equal((await eventsOf("temperature.csv", 'temperature,time\n"37,2 °C",2026-02-25 07:00:00'))[0].celsius, 37.2);
});

test("nights in which clocks change: the shortest length that can be, else it is named", async () => {
  const sleeps = async (...rows) => (await eventsOf("sleep.csv", lines("start,end", ...rows)))
    .map(({ started_at, ended_at }) => `${started_at.slice(11, 16)} ${(Date.parse(ended_at) - Date.parse(started_at)) / 60_000}`);
  // New York repeats 1:00 to 2:00 on 1 November and skips 2:00 to 3:00 on 8 March.
  assert.deepEqual(await sleeps(
    "2026-11-01 01:50:00,2026-11-01 01:10:00", "2026-11-01 01:10:00,2026-11-01 01:50:00", "2026-11-01 00:30:00,2026-11-01 01:30:00",
    "2026-11-01 01:30:00,2026-11-01 03:00:00", "2026-10-31 20:00:00,2026-11-01 07:00:00",
  ), ["05:50 20", "06:10 40", "04:30 60", "06:30 90", "00:00 720"]);
  assert.deepEqual(await sleeps(
    "2026-03-08 02:30:00,2026-03-08 03:10:00", "2026-03-08 01:50:00,2026-03-08 02:30:00", "2026-03-08 02:10:00,2026-03-08 02:50:00",
    "2026-03-07 20:00:00,2026-03-08 07:00:00",
  ), ["06:30 40", "06:50 40", "07:10 40", "01:00 600"]);
  assert.deepEqual(await reasonsOf("sleep.csv", lines("start,end", "2026-11-01 02:10:00,2026-11-01 01:50:00", "2026-03-08 03:50:00,2026-03-08 02:10:00")),
    [[2, "it ends before it starts"], [3, "it ends before it starts"]]);
});

test("a weight of today is not in the future, and a date says nothing of the time of day", async () => {
  const files = { "weight.csv": "weight,date\n5.25,2026-11-25" };
  const early = { now: Date.parse("2026-11-25T10:00:00Z") }; // 5:00 in New York, whose day starts at 7:00
  const first = await prepared(files, early);
  assert.deepEqual([first.events[0].event.occurred_at, first.problems], ["2026-11-25T05:00:00.000Z", []]);
  assert.equal((await prepared(files, { now: Date.parse("2026-11-25T20:00:00Z") })).events[0].event.occurred_at, "2026-11-25T12:00:00.000Z");
  assert.deepEqual(counts(await prepared(files, { now: Date.parse("2026-11-25T20:00:00Z"), here: sent(first.events) })), [0, 0, 0, 1]);
  assert.deepEqual((await prepared({ "weight.csv": "weight,date\n5.25,2026-11-26" }, early)).problems.map(({ reason }) => reason), ["it is in the future"]);
});

test("units are guessed: a median under 15 is ounces, heads under 25 are inches", () => {
  const feeds = (...amounts) => [recognise("feeding.csv", lines("start,end,type,method,amount",
    ...amounts.map((amount) => `2026-02-25 07:00:00,,formula,bottle,${amount}`)))];
  assert.equal(guessUnits(feeds(4, 5, 3.5, 60), false).volume, "oz");
  assert.equal(guessUnits(feeds(120, 90, 15), true).volume, "ml");
  assert.equal(guessUnits([recognise("headcircumference.csv", "value,date\n15,2026-02-25")], false).weight, "lb");
  assert.equal(guessUnits([recognise("height.csv", "height,date\n54,2026-02-25")], true).length, "cm");
});

test("kinds that the server has no place for are counted, not sent", async () => {
  const { events, noPlace } = await prepared({ "temperature.csv": "temperature,time\n37.2,2026-02-25 07:00:00" },
    { kinds: FIRST_KINDS });
  assert.deepEqual([events.length, noPlace], [0, { temperature: 1 }]);
});

test("the server's own description tells its kinds", () => {
  const paths = { "/api/v1/children/{childId}/feedings": {}, "/api/v1/children/{childId}/pumpings": {},
    "/api/v1/children/{childId}/pumpings/{id}": {} };
  assert.deepEqual(kindsKnownTo({ paths }), ["feeding", "pumping"]);
  assert.deepEqual(kindsKnownTo({}), FIRST_KINDS);
});

test("files that aren't ours are named with why, and don't stop the others", () => {
  assert.match(recognise("bmi.csv", "child_id,bmi,date\n1,15,2026-02-25").reason, /weight and height/);
  assert.match(recognise("timer.csv", "name,start,end,active,user\nx,2026-02-25 07:00:00,,1,1").reason,
    /no kind we know/);
  assert.match(recognise("x.json", "{\"a\":1}").reason, /isn’t an export/);
  assert.match(recognise("x.json", "{\"format\":\"baby-basics\",\"version\":99,\"children\":[]}").reason,
    /newer version/);
  assert.match(recognise("x.json", "{oops").reason, /isn’t/);
});

const item = (id, at, more = {}) => ({
  type: "diaper", at, event: {
    id, child_id: EMMA, type: "wet", occurred_at: at, color: null, notes: "ok",
    created_by: { user_id: null, name: "Jo" }, revision: 4, ...more,
  },
});

test("our own export comes back: to its child with its ids, to another with new ones, and nothing twice", async () => {
  const id = "018f0000-0000-7000-8000-000000000001";
  const text = exportJSON({
    family: { id: "f", name: "Miller" }, now,
    children: [{ id: EMMA, name: "Emma", date_of_birth: "2026-01-01", events: [item(id, "2026-02-25T12:00:00.000Z")] }],
  });
  const own = await prepared({ "miller.json": text });
  assert.deepEqual(own.events.map((one) => [one.id, one.event]),
    [[id, { occurred_at: "2026-02-25T12:00:00.000Z", type: "wet", notes: "ok" }]]);
  assert.equal((await prepared({ "miller.json": text }, { here: sent(own.events) })).present, 1);
  const other = await prepared({ "miller.json": text }, { children: { [`export:${EMMA}`]: NOAH } });
  assert.notEqual(other.events[0].id, id);
  const again = await prepared({ "miller.json": text }, { children: { [`export:${EMMA}`]: NOAH } });
  assert.equal(again.events[0].id, other.events[0].id);
});

/** One of each kind, with what is hard to keep. */
const EACH = {
  feeding: { started_at: "2026-11-01T05:30:00.250Z", ended_at: "2026-11-01T06:10:00.000Z", type: "bottle", amount_ml: 112.5, content: "formula", notes: '=HYPERLINK("x"), "said"\nno' },
  diaper: { occurred_at: "2026-03-01T12:00:00.000Z", type: "dirty", color: "green" },
  sleep: { started_at: "2026-03-01T12:00:00.000Z", ended_at: "2026-03-01T13:00:00.000Z", type: "nap" },
  note: { occurred_at: "2026-03-01T12:00:00.000Z", content: "- first smile\n+ a tooth; 1,5 cm" },
  pumping: { started_at: "2026-03-01T12:00:00.000Z", side: "both", amount_ml: 85 },
  measurement: { occurred_at: "2026-03-01T12:00:00.000Z", weight_g: 4250, length_cm: 52.5, head_cm: 38.1 },
  temperature: { occurred_at: "2026-03-01T12:00:00.000Z", celsius: 37.4, site: "ear" },
  medication: { occurred_at: "2026-03-01T12:00:00.000Z", name: "@Vitamin D", dose: "1,5 ml" },
  activity: { started_at: "2026-03-01T12:00:00.000Z", ended_at: "2026-03-01T12:10:00.000Z", name: "'=Bath" },
};

test("the exported tables come back: nothing is doubled, and to another family they are the same entries anew", async () => {
  const made = Object.entries(EACH).map(([kind, event], place) =>
    ({ id: `018f0000-0000-7000-8000-00000000000${place}`, kind, child: EMMA, event }));
  const here = sent(made);
  const events = [...here.values()].map(({ type, event }) => ({ type, at: event.started_at ?? event.occurred_at, event }));
  const children = [{ id: EMMA, name: "Emma", date_of_birth: "2026-01-10", events }];
  const files = Object.fromEntries(Object.keys(EACH).map((kind) => [`${kind}.csv`, exportTable(kind, children, "America/New_York")]));
  assert.deepEqual(counts(await prepared(files, { here })), [0, 0, 0, 9]);
  // The id and every field of an entry that is not here any more.
  const again = await prepared(files);
  assert.deepEqual(again.problems, []);
  assert.deepEqual(Object.fromEntries(again.events.map(({ kind, event }) => [kind, event])), EACH);
  assert.deepEqual(again.events.map(({ id }) => id), made.map(({ id }) => id));
  assert.deepEqual(childrenIn(again.sources).map(({ key, label, id, count }) => [key, label, id, count]), [[`export:${EMMA}`, "Emma", EMMA, 9]]);
  // For another child, and a second time; through a spreadsheet that writes semicolons, its mark and commas in numbers.
  const noah = { children: { [`export:${EMMA}`]: NOAH } };
  const copied = await prepared(files, noah);
  assert.equal(copied.events.filter(({ id }) => here.has(id)).length, 0);
  assert.deepEqual(counts(await prepared(files, { ...noah, here: sent(copied.events) })), [0, 0, 0, 9]);
  const excel = `\uFEFFsep=;\r\n${files["measurement.csv"].replaceAll(",", ";").replaceAll("52.5", "52,5").replaceAll("38.1", "38,1")}`;
  assert.deepEqual((await prepared({ "a.csv": excel })).events.map(({ event }) => event), [EACH.measurement]);
  // Beside the JSON of the same family they are one child, and one of each.
  const both = { ...files, "all.json": exportJSON({ family: { id: "f", name: "Miller" }, children, now }) };
  const all = await prepared(both);
  assert.equal(childrenIn(all.sources).length, 1);
  assert.equal(new Set(all.events.map(({ id }) => id)).size, 9);
});

test("an export with entries of a later version", async () => {
  const events = [{ type: "hologram", at: "x", event: {} }, null, item("x", "oops")];
  const text = JSON.stringify({ format: "baby-basics", version: 1, children: [{ id: EMMA, name: "Emma", events }] });
  const { problems } = await prepared({ "a.json": text });
  assert.deepEqual(problems.map(({ line, reason }) => [line, reason]),
    [[1, "“hologram” is no kind we know"], [2, "“nothing” is no kind we know"], [3, "the time can't be read"]]);
});

test("rows that weren't taken can be had as a table with line and reason", async () => {
  const { sources, problems } = await prepared({ "note.csv": "note,time\n\"a, b\",yesterday" });
  assert.equal(rejectedTable(sources[0], problems),
    "line,reason,note,time\r\n2,the time “yesterday” is no time like 2026-02-25 07:30:00,\"a, b\",yesterday\r\n");
});

test("the table of what wasn't taken runs nothing in a spreadsheet, and its rows come back", async () => {
  const { sources, problems } = await prepared({ "note.csv": "note,time\n=1+1,yesterday" });
  const table = rejectedTable(sources[0], problems);
  assert.match(table, /,'=1\+1,/);
  const mended = table.replace(/,yesterday\r\n$/, ",2026-02-25 07:00:00\r\n");
  assert.deepEqual((await eventsOf("note-not-taken.csv", mended)).map(({ content }) => content), ["=1+1"]);
});

test("10,000 rows are read and have their ids in seconds", async () => {
  const rows = Array.from({ length: 10_000 }, (_, place) => {
    const moment = new Date(Date.parse("2025-01-01T00:00:00Z") + place * 2_700_000);
    const at = moment.toISOString().slice(0, 19).replace("T", " ");
    return `1,${at},${at},formula,bottle,${60 + place % 90},"note, ${place}"`;
  });
  const begun = performance.now();
  const { events, problems } = await prepared({
    "feeding.csv": lines("child_id,start,end,type,method,amount,notes", ...rows),
  });
  const took = performance.now() - begun;
  console.log(`10,000 rows in ${took.toFixed(0)} ms`);
  assert.equal(events.length, 10_000);
  assert.equal(problems.length, 0);
  assert.ok(took < 10_000, `${took} ms`);
});

test("what somebody could not send is brought in by whoever imports it: new events and changes", async () => {
  const id = "00000000-0000-4000-8000-000000000001";
  const sleep = { id, child_id: EMMA, started_at: "2026-11-24T20:00:00.000Z", revision: 3 };
  const ended = { ...sleep, ended_at: "2026-11-25T06:00:00.000Z" };
  const children = [{ id: EMMA, name: "Emma", date_of_birth: "", events: [{ type: "sleep", at: sleep.started_at, event: ended }] }];
  const here = new Map([[id, { type: "sleep", event: { ...sleep, created_at: "2026-11-24T20:00:01.000Z", updated_at: "2026-11-24T20:00:01.000Z", updated_by: null } }]]);
  const unsent = exportJSON({ family: { name: "f" }, children, now, isUnsent: true });
  const { events, changes } = await prepared({ "it.json": unsent }, { here });
  assert.deepEqual([events, changes.map(({ patch }) => patch)], [[], [{ ended_at: "2026-11-25T06:00:00.000Z" }]]);
  assert.deepEqual((await prepared({ "it.json": unsent })).events.map((one) => one.id), [id]);
  const backup = await prepared({ "it.json": exportJSON({ family: { name: "f" }, children, now }) }, { here });
  assert.deepEqual([backup.changes, backup.present], [[], 1]);
});
