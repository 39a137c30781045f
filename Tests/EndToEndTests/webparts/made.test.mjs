// What imports made: noted as the answers come, and found again.

import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.IDBKeyRange ??= { bound: (from, to) => [from, to] };
const { undone } = await import("../../../deploy/www/app/store/imports.js");
const { allImports, noteAnswers, noteChange, undoable } = await import("../../../deploy/www/app/transfer/made.js");

const NOW = Date.parse("2026-11-25T12:00:00Z");
const MINUTE = 60_000;
const DAY = 86_400_000;
const at = (moment) => new Date(moment).toISOString();

/** A store whose notes are a list. */
function store(noted = []) {
  const kept = [];
  return { kept, read: async () => noted, writeUnseen: async (stores, work) => work(() => ({ put: (one) => kept.push(structuredClone(one)), delete: (key) => kept.push(key) })) };
}
const made = (place, moment, more = {}) => ({
  type: "diaper", event: {
    id: `00000000-0000-8000-8000-${String(place).padStart(12, "0")}`, child_id: "emma", type: "wet", occurred_at: at(moment), revision: place,
    created_at: at(moment), updated_at: at(moment), created_by: { user_id: "j", name: "Jo" }, ...more,
  },
});
const empty = () => ({ id: "one", family: "f", at: NOW, by: "j", files: ["a.csv"], events: {} });

test("what was there before an import isn't its own", async () => {
  const into = store();
  const one = empty();
  const answered = [made(1, NOW + 1000), made(2, NOW - 10 * MINUTE), { type: "diaper", event: null, deleted: true, id: "x" }];
  await noteAnswers(into, one, answered.map(({ event }) => ({ id: event?.id ?? "x", kind: "diaper" })), answered);
  assert.deepEqual(Object.keys(one.events), [answered[0].event.id]);
  assert.deepEqual(Object.keys(into.kept[0].events), [answered[0].event.id]);
});

test("what a second run changes is still the first one's", async () => {
  const first = { ...empty(), id: "first", events: { x: { type: "diaper", child_id: "emma", revision: 1, event: { type: "wet" } } } };
  const second = empty();
  const into = store();
  await noteChange(into, second, [first], { id: "x", kind: "diaper" }, { ...made(1, NOW).event, type: "dry", child_id: "noah", revision: 9 });
  assert.deepEqual(second.events, {});
  assert.deepEqual([first.events.x.event.type, first.events.x.child_id, first.events.x.revision], ["dry", "noah", 9]);
  await noteChange(into, second, [first], { id: "y", kind: "diaper" }, made(2, NOW).event);
  assert.deepEqual(Object.keys(second.events), ["y"]);
});

test("imports of other devices: by the ids, by who made them and when; not what is old, noted here, logged by hand or changed", async () => {
  const here = [
    made(1, NOW - DAY), made(2, NOW - DAY + 5 * MINUTE), made(3, NOW - DAY + 60 * MINUTE), made(4, NOW - DAY, { created_by: { user_id: "r", name: "Rosa" } }),
    made(5, NOW - 31 * DAY), made(6, NOW - DAY), made(7, NOW - DAY, { id: "018f0000-0000-7000-8000-000000000001" }),
    made(8, NOW - 3 * DAY, { updated_at: at(NOW) }), made(9, NOW - 5 * DAY, { updated_by: { user_id: "r", name: "Rosa" } }), made(10, NOW - 7 * DAY, { updated_by: null }),
  ];
  const noted = { ...empty(), events: { [here[5].event.id]: {} } };
  const found = await allImports(store([noted]), "f", here, NOW);
  assert.deepEqual(found.map(({ by, isElsewhere, events }) => [by, Boolean(isElsewhere), Object.keys(events).map((id) => Number(id.slice(-2)))]),
    [["j", false, [6]], ["Jo", true, [3]], ["Jo", true, [1, 2]], ["Rosa", true, [4]], ["Jo", true, [10]]]);
});

test("an import is over after 30 days", async () => {
  const old = { ...empty(), at: NOW - 31 * DAY, events: { x: {} } };
  const into = store([old]);
  assert.deepEqual(await allImports(into, "f", [], NOW), []);
  assert.deepEqual(into.kept, ["import:f:one"]);
  const ids = store([{ id: "new", at: NOW - 29 * DAY }, { id: "old", at: NOW - 31 * DAY }]);
  assert.deepEqual([...await undone(ids, "f", NOW)], ["new"]);
  assert.deepEqual(ids.kept, ["undone:f:old"]);
});

test("undoing takes what is as it was made, by the revision that is here; what isn't here is the server's to know", () => {
  const events = [made(1, NOW), made(2, NOW), made(3, NOW), made(4, NOW)];
  const one = { ...empty(), events: Object.fromEntries(events.map(({ type, event }) => [event.id, { type, child_id: "emma", revision: event.revision, event: { type: "wet", occurred_at: event.occurred_at } }])) };
  const changed = { ...events[1], event: { ...events[1].event, type: "dry" } };
  const touched = { ...events[2], event: { ...events[2].event, revision: 30 } };
  const here = new Map([events[0], changed, touched].map((item) => [item.event.id, item]));
  const plan = undoable(one, here, new Set([events[0].event.id]));
  assert.deepEqual([plan.asMade.map(({ id, revision }) => [Number(id.slice(-2)), revision]), plan.changed], [[[3, 30], [4, 4]], 2]);
});
