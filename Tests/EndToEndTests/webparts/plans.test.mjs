// Plans of medicine: when a dose is due, and when one comes too soon.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import "./english.mjs";
import { ada, all, device, serve, T } from "./device.js";
import { holds, planOf, standing, tooNear, tooNearBy } from "../../../deploy/www/app/model/plans.js";
import { applyChanges, clearFamily, dropFamily, feedStores } from "../../../deploy/www/app/store/apply.js";
import { deletedOf } from "../../../deploy/www/app/store/deleted.js";
import { edit, log, remove, restore } from "../../../deploy/www/app/store/log.js";
import { sendNext } from "../../../deploy/www/app/sync/outbox.js";

const NOW = Date.parse("2026-06-10T12:00:00Z");
const HOUR = 3_600_000;
const jo = { timezone: "UTC", dayStart: "07:00" };
const plan = (more) => ({ id: "p", name: "Paracetamol", every_hours: null, times: null, max_per_day: null, starts_on: "2026-06-01", ends_on: null, created_at: "2026-06-01T09:00:00Z", ...more });
const dose = (hours, more = {}) => {
  const at = new Date(NOW - hours * HOUR).toISOString();
  return { id: `d${hours}`, time: NOW - hours * HOUR, event: { name: "Paracetamol", plan_id: "p", created_at: at, created_by: { user_id: "rosa" }, ...more } };
};
const next = (one, given = [], now = NOW, person = jo) => {
  const { next_at } = standing(one, given, now, person);
  return next_at === null ? null : new Date(next_at).toISOString().slice(5, 16);
};

test("every few hours: from the last dose on, and before the first from when it was made", () => {
  assert.equal(next(plan({ every_hours: 6 }), [dose(2), dose(9)]), "06-10T16:00");
  assert.equal(next(plan({ every_hours: 6 }), [dose(50)]), "06-08T16:00", "past, and still due");
  assert.equal(next(plan({ every_hours: 6 })), "06-01T09:00");
  assert.equal(next(plan({ every_hours: 6, starts_on: "2026-06-12" })), "06-12T07:00");
  assert.equal(next(plan({ every_hours: 24, ends_on: "2026-06-10" }), [dose(2)]), null, "over by then");
  assert.equal(next(plan({}), [dose(2)]), null, "when needed it is never due");
});

test("doses of another plan, or of none, are none of this one's", () => {
  assert.equal(next(plan({ every_hours: 6 }), [dose(1, { plan_id: "q" }), dose(1, { plan_id: null })]), "06-01T09:00");
  assert.equal(standing(plan({}), [dose(1), dose(3), dose(6)], NOW, jo).given_today, 2, "the day began at seven");
});

test("set times: the first that nobody has given yet", () => {
  const twice = plan({ times: ["08:00", "20:00"] });
  assert.equal(next(twice), "06-10T08:00", "past, and still due");
  assert.equal(next(twice, [dose(4)]), "06-10T20:00");
  assert.equal(next(twice, [dose(0.5)]), "06-10T20:00", "late");
  assert.equal(next(twice, [dose(1), dose(4)]), "06-11T08:00", "two doses, two times");
  assert.equal(next(twice, [dose(0)], NOW + 6.5 * HOUR), "06-10T20:00", "an hour and a half before it is the next one's");
  assert.equal(next(plan({ times: ["08:00"] }), [dose(1), dose(2), dose(4)]), "06-11T08:00", "more doses than times take none of tomorrow's");
  assert.equal(next(plan({ times: ["08:00"], starts_on: "2026-06-20" })), "06-20T08:00");
  assert.equal(next(plan({ times: ["08:00"], ends_on: "2026-06-10" }), [dose(4)]), null);
  assert.equal(next(plan({ times: ["08:00"], created_at: "2026-06-10T11:00:00Z" })), "06-11T08:00", "not what was before it was made");
});

test("set times are of the person's clocks and day", () => {
  const york = { timezone: "America/New_York", dayStart: "07:00" };
  assert.equal(next(plan({ times: ["08:00"] }), [], NOW, york), "06-10T12:00");
  // Three in the morning belongs to the day that began the morning before.
  assert.equal(next(plan({ times: ["03:00"] }), [], NOW, jo), "06-11T03:00");
  assert.ok(holds(plan({ ends_on: "2026-06-10" }), "2026-06-10") && !holds(plan({ ends_on: "2026-06-09" }), "2026-06-10"));
});

const near = (one, given, hours = 0) => {
  const found = tooNear(one, given, { time: NOW - hours * HOUR }, jo);
  return found && [found.code, found.other.id, found.count];
};

test("too soon, but for a quarter of an hour", () => {
  const six = plan({ every_hours: 6 });
  assert.deepEqual(near(six, [dose(2), dose(8)]), ["TOO_SOON", "d2", 1]);
  assert.equal(near(six, [dose(5.75)]), null);
  assert.deepEqual(near(six, [dose(5.74)]), ["TOO_SOON", "d5.74", 0]);
  assert.deepEqual(near(six, [dose(2)], 5), ["TOO_SOON", "d2", 1], "one that is logged later, before another");
  assert.equal(near(six, [dose(2, { plan_id: null, name: "Vitamin D" })]), null);
  assert.deepEqual(near(six, [dose(2, { plan_id: "q" })]), ["TOO_SOON", "d2", 1], "the same medicine, by another plan");
  assert.deepEqual(near(six, [dose(2, { plan_id: null, name: " paracetamol " })]), ["TOO_SOON", "d2", 1], "logged by its name alone");
});

test("too many of the person's day", () => {
  const thrice = plan({ max_per_day: 3 });
  assert.deepEqual(near(thrice, [dose(1), dose(2), dose(4)]), ["TOO_MANY", "d1", 3]);
  assert.equal(near(thrice, [dose(1), dose(2), dose(6)]), null, "the day began at seven");
});

test("a dose without a plan is of the one with its name", () => {
  assert.equal(planOf([plan({}), plan({ id: "q", name: "Ibuprofen" })], { name: "ibuprofen" })?.id, "q");
  assert.equal(planOf([plan({})], { name: "Iron" }), undefined);
});

test("of two in the same minute the later is said to whoever gave it, and to nobody else", () => {
  const mine = dose(0, { created_by: { user_id: "me" } });
  const theirs = dose(0.01, {});
  const ids = (given, me) => tooNearBy([plan({ every_hours: 6 })], given, me, 0, jo).map(({ one, other }) => [one.id, other.id]);
  assert.deepEqual(ids([mine, theirs], "me"), [["d0", "d0.01"]]);
  assert.deepEqual(ids([mine, theirs], "rosa"), []);
});

// --- In the store

const feed = (store, ...changes) => store.write(feedStores, (table) => applyChanges(table, "f", changes, 9, false));
const upsert = (id, revision, more = {}) => ({ entity: "plan", id, op: "upsert", revision, data: { ...plan({ id, child_id: "ada", revision, updated_at: T(revision) }), ...more } });
const names = async (store, child = "ada") => (await store.plans(child)).map(({ event }) => event.name).sort();

test("plans come by the feed, and no list of events finds them", async (t) => {
  const store = await device(t);
  await feed(store, upsert("p", 3), upsert("q", 4, { name: "Iron", child_id: "ben" }));
  assert.deepEqual([await names(store), await names(store, "ben")], [["Paracetamol"], ["Iron"]]);
  assert.deepEqual([await store.recent("ada", "plan", -Infinity), await store.events("ada")], [[], []]);
  await feed(store, { entity: "plan", id: "p", op: "delete", data: null, revision: 5 });
  assert.deepEqual(await names(store), []);
  assert.deepEqual((await deletedOf(store, "ada", Date.now())).map(({ id }) => id), ["p"]);
});

test("a plan goes with its child, and with its family", async (t) => {
  const store = await device(t);
  await feed(store, upsert("p", 3), upsert("q", 4, { child_id: "ben" }));
  await feed(store, { entity: "child", id: "ada", op: "delete", data: null, revision: 5 });
  assert.deepEqual([await names(store), await names(store, "ben")], [[], ["Paracetamol"]]);
  await store.write(feedStores, (table) => clearFamily(table, "f"));
  assert.deepEqual(await names(store, "ben"), []);
});

test("made and changed without a network it is one creation, sent by itself before the dose of it", async (t) => {
  const store = await device(t);
  const made = await log(store, ada, "plan", { name: "Iron", every_hours: 24, times: null, starts_on: "2026-06-01" });
  await edit(store, made, { every_hours: null, times: ["08:00"] });
  await log(store, ada, "medication", { name: "Iron", plan_id: made.id, occurred_at: T(0) });
  const asked = serve(({ path, body }) => path.endsWith("/plans")
    ? [201, { plan: { ...plan({}), ...body, child_id: "ada", revision: 4 } }]
    : [201, { events: body.events.map(({ type, event }) => ({ type, event: { ...event, child_id: "ada", revision: 5 } })) }]);
  while (await sendNext(store));
  assert.deepEqual(asked.map(({ method, path }) => [method, path]), [["POST", "/children/ada/plans"], ["POST", "/children/ada/events"]]);
  assert.deepEqual(asked[0].body, { id: made.id, name: "Iron", times: ["08:00"], starts_on: "2026-06-01" });
  assert.deepEqual([await all(store, "outbox"), (await store.plans("ada"))[0].event.revision], [[], 4]);
});

test("changed, deleted and brought back as events are", async (t) => {
  const store = await device(t);
  await feed(store, upsert("p", 3, { every_hours: 6 }));
  await edit(store, { id: "p", family_id: "f" }, { every_hours: 8, times: null });
  const removed = await remove(store, { id: "p", family_id: "f" });
  assert.deepEqual(await names(store), []);
  await restore(store, removed);
  const asked = serve(({ method }) => (method === "DELETE" ? [204] : [200, { plan: { ...upsert("p", 6).data, every_hours: 8 } }]));
  while (await sendNext(store));
  assert.deepEqual(asked.map(({ method, path, body }) => [method, path, body]), [["PATCH", "/children/ada/plans/p", { every_hours: 8 }]]);
  assert.equal((await store.plans("ada"))[0].event.every_hours, 8);
});

test("the same times are no change", async (t) => {
  const store = await device(t);
  await feed(store, upsert("p", 3, { times: ["08:00", "20:00"] }));
  await edit(store, { id: "p", family_id: "f" }, { times: ["08:00", "20:00"] });
  assert.deepEqual(await all(store, "outbox"), []);
});

test("what the server refuses waits with its reason; what goes with a place can be saved", async (t) => {
  const store = await device(t);
  await log(store, ada, "plan", { name: "Iron", every_hours: 999, starts_on: "2026-06-01" });
  serve(() => [400, { code: "VALIDATION_ERROR", details: [{ field: "every_hours", message: "must be at most 168" }] }]);
  while (await sendNext(store));
  assert.deepEqual((await all(store, "outbox")).map(({ rejected }) => rejected), ["Hours between doses must be at most 168."]);
  await store.write(feedStores, (table) => dropFamily(table, "f"));
  assert.deepEqual((await all(store, "notices")).map(({ unsent }) => unsent[0].events.map(({ type, event }) => [type, event.name])), [[["plan", "Iron"]]]);
});

// --- By the cases that the server and the kit have as well

const shared = (name) => JSON.parse(readFileSync(new URL(`../../Fixtures/plans/${name}.json`, import.meta.url), "utf8"));
const personIn = ({ timezone, day_start_time: dayStart }) => ({ timezone, dayStart });
const iso = (moment) => (moment === null ? null : new Date(moment).toISOString());
const asDoses = (given) => given
  .map((one, place) => {
    const { at, name = "Paracetamol", plan_id = "p" } = typeof one === "string" ? { at: one } : one;
    return { id: `d${place}`, time: Date.parse(at), event: { name, plan_id, created_at: at } };
  })
  .sort((one, other) => other.time - one.time);

for (const { name, person, plan: one, given, now, expected } of shared("due")) {
  test(`due: ${name}`, () => {
    const ask = (doses, at) => standing(one, asDoses(doses), at, personIn(person));
    const { next_at, given_today } = ask(given, Date.parse(now));
    const found = { next_at: iso(next_at), given_today };
    if ("following" in expected) found.following = iso(ask([...given, iso(next_at)], Math.max(next_at, Date.parse(now))).next_at);
    assert.deepEqual(found, expected);
  });
}

for (const { name, person, plan: one, given, dose: at, expected } of shared("near")) {
  test(`near: ${name}`, () => {
    const found = tooNear(one, asDoses(given), { time: Date.parse(at) }, personIn(person));
    assert.deepEqual(found && { code: found.code, other: iso(found.other.time), count: found.count }, expected);
  });
}

// --- With twins

const ben = { ...ada, id: "ben", name: "Ben" };

test("a dose that was the other twin's is none of the plan's, sent or not", async (t) => {
  const store = await device(t);
  await feed(store, upsert("p", 3));
  const dose = { name: "Paracetamol", plan_id: "p", occurred_at: T(0) };
  const first = await log(store, ada, "medication", dose);
  await edit(store, first, { child_id: ben.id });
  assert.deepEqual((await all(store, "outbox")).map(({ child_id, event }) => [child_id, event.plan_id]), [["ben", undefined]]);
  const known = { ...dose, id: "k", child_id: "ada", revision: 4, created_at: T(0), updated_at: T(0) };
  await feed(store, { entity: "medication", id: "k", op: "upsert", revision: 4, data: known });
  await edit(store, { id: "k", family_id: "f" }, { child_id: ben.id, notes: "at noon" });
  assert.deepEqual((await all(store, "outbox")).at(-1).patch, { child_id: "ben", notes: "at noon", plan_id: null });
  assert.equal((await store.event("f", "k")).event.plan_id, null);
  await edit(store, { id: "k", family_id: "f" }, { notes: "at one" });
  assert.equal((await all(store, "outbox")).at(-1).patch.notes, "at one");
});
