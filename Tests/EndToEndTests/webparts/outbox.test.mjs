// The outbox: what is sent together, and what becomes of each entry.

import assert from "node:assert/strict";
import { test } from "node:test";
import "./english.mjs";
import { ada, all, device, event, serve, T } from "./device.js";
import { applyChanges, feedStores } from "../../../deploy/www/app/store/apply.js";
import { clock } from "../../../deploy/www/app/store/clock.js";
import { edit, log, remove } from "../../../deploy/www/app/store/log.js";
import { firstWaiting, inTime, next, sendNext } from "../../../deploy/www/app/sync/outbox.js";

const create = (id, more = {}) => ({ op: "create", id, child_id: "ada", event: { id }, ...more });
const ids = (entries) => entries.map(({ id }) => id);
const bottle = { type: "bottle", amount_ml: 90, started_at: T(0) };
const key = (id) => ({ id, family_id: "f" });
const known = (store, ...events) => store.write(feedStores, (table) => applyChanges(
  table, "f", events.map((data) => ({ entity: "feeding", id: data.id, op: "upsert", data, revision: data.revision })), 9, false));

test("new events of one child travel together, in order", () => {
  assert.deepEqual(next([]), []);
  assert.deepEqual(ids(next([create("a"), create("b"), create("c", { child_id: "ben" }), create("d")])), ["a", "b"]);
  assert.deepEqual(ids(next([create("a"), { op: "edit", id: "x", child_id: "ada" }, create("b")])), ["a"]);
  assert.deepEqual(ids(next([{ op: "edit", id: "x", child_id: "ada" }, create("a")])), ["x"]);
});

test("what is to be found out about goes alone", () => {
  assert.deepEqual(ids(next([create("a", { solo: true }), create("b")])), ["a"]);
  assert.deepEqual(ids(next([create("a"), create("b", { solo: true })])), ["a"]);
});

test("500 at most, and less than a request may have", () => {
  assert.equal(next(Array.from({ length: 700 }, (_, place) => create(`e${place}`))).length, 500);
  const long = next(Array.from({ length: 500 }, (_, place) => create(`e${place}`, { event: { content: "x".repeat(5_000) } })));
  assert.ok(long.length > 150 && JSON.stringify(long.map(({ event }) => event)).length < 1_000_000);
});

test("any number of rejected entries stands in nobody's way", async (t) => {
  const store = await device(t);
  await store.write(["outbox"], async (table) => {
    for (let count = 0; count < 1_300; count += 1) table("outbox").add(create(`bad${count}`, { rejected: "No." }));
    table("outbox").add(create("good"));
  });
  assert.deepEqual(ids(await store.read(["outbox"], firstWaiting)), ["good"]);
});

test("a batch that is refused: the bad one is rejected with its reason, the rest is sent", async (t) => {
  const store = await device(t);
  const [good, bad] = [await log(store, ada, "feeding", bottle), await log(store, ada, "feeding", { ...bottle, amount_ml: 99_999 })];
  const asked = serve(({ body }) => {
    const place = body.events.findIndex(({ event }) => event.id === bad.id);
    const details = [{ field: `events[${place}].event.amount_ml`, message: "must be at most 1000", reason: "too_large" }];
    return place >= 0 ? [400, { code: "VALIDATION_ERROR", details }] : [201, { events: body.events.map(({ type, event: one }) => ({ type, event: event(one.id, 3, one) })) }];
  });
  while (await sendNext(store));
  const [entry, ...more] = await all(store, "outbox");
  assert.deepEqual([entry.id, entry.rejected, more], [bad.id, "Amount must be at most 1000.", []]);
  assert.equal((await store.event("f", good.id)).event.revision, 3);
  assert.equal(asked.length, 2);
});

test("a refusal that names none of several: each goes alone", async (t) => {
  const store = await device(t);
  for (let count = 0; count < 3; count += 1) await log(store, ada, "feeding", bottle);
  const asked = serve(({ body }) => body.events.length > 1 ? [409, {}] : [201, { events: body.events.map(({ type, event: one }) => ({ type, event: event(one.id, 3, one) })) }]);
  while (await sendNext(store));
  assert.deepEqual([asked.map(({ body }) => body.events.length), await all(store, "outbox")], [[3, 1, 1, 1], []]);
});

test("what somebody deleted meanwhile goes here, too, and is said once", async (t) => {
  const store = await device(t);
  const kept = await log(store, ada, "feeding", bottle);
  serve(({ body }) => [200, { events: [{ type: "feeding", id: body.events[0].event.id, event: null, deleted: true }] }]);
  await sendNext(store);
  assert.deepEqual([await store.event("f", kept.id), await all(store, "outbox"), (await all(store, "notices")).length], [undefined, [], 1]);
});

test("a lost answer: the same event is sent again", async (t) => {
  const store = await device(t);
  await log(store, ada, "feeding", bottle);
  const asked = serve(({ body }, count) => count === 1 ? [503, {}] : [201, { events: body.events.map(({ type, event: one }) => ({ type, event: event(one.id, 3, one) })) }]);
  await assert.rejects(sendNext(store));
  assert.equal((await all(store, "outbox"))[0].tries, 1);
  await sendNext(store);
  assert.deepEqual([asked[0].body, await all(store, "outbox")], [asked[1].body, []]);
});

test("an edit that meets another's is rebased, sent again, and told with the other's name", async (t) => {
  const store = await device(t);
  await known(store, event("a", 3, { mood: "fine" }));
  await edit(store, key("a"), { amount_ml: 120, notes: "calm" });
  const theirs = event("a", 4, { amount_ml: 100, mood: "fine", updated_by: { user_id: "m", name: "Rosa" }, updated_at: T(1_000_000) });
  const asked = serve(({ method, body }, count) => method === "GET" ? [200, { feeding: theirs }] : count === 1 ? [412, {}] : [200, { feeding: { ...theirs, ...body, revision: 5 } }]);
  while (await sendNext(store));
  assert.deepEqual(asked.map(({ method, body }) => [method, body]), [["PATCH", { amount_ml: 120, notes: "calm" }], ["GET", undefined], ["PATCH", { notes: "calm" }]]);
  const { amount_ml, notes, mood, revision } = (await store.event("f", "a")).event;
  assert.deepEqual([amount_ml, notes, mood, revision], [100, "calm", "fine", 5]);
  const [{ text }] = await all(store, "notices");
  assert.match(text, /you and Rosa both changed the amount\. Yours: 120\sml\. Theirs: 100\sml\. Theirs was later/);
});

test("a refused edit is rejected, and the event is as the server has it", async (t) => {
  const store = await device(t);
  await known(store, event("a", 3));
  await edit(store, key("a"), { amount_ml: 5_000 });
  serve(({ method }) => method === "GET" ? [200, { feeding: event("a", 3) }] : [400, { details: [{ field: "amount_ml", message: "must be at most 1000", reason: "too_large" }] }]);
  await sendNext(store);
  assert.deepEqual([(await all(store, "outbox")).map(({ rejected }) => rejected), (await store.event("f", "a")).event.amount_ml], [["Amount must be at most 1000."], 90]);
  assert.equal(await sendNext(store), false);
});

test("an edit or deletion of what is gone is gone", async (t) => {
  const store = await device(t);
  await known(store, event("a", 3), event("b", 4));
  await edit(store, key("a"), { amount_ml: 120 });
  await remove(store, key("b"));
  serve(() => [404, {}]);
  while (await sendNext(store));
  assert.deepEqual([await all(store, "events"), await all(store, "outbox"), (await all(store, "notices")).length], [[], [], 1]);
});

test("a clock that ran ahead: by the server's reason, not by its words, the times are put right", () => {
  const entry = create("a", { offset: 0, event: { id: "a", occurred_at: T(60) } });
  const details = [{ field: "occurred_at", message: "whatever it says", reason: "in_future" }];
  assert.equal(inTime(entry, details), null); // nothing is known of the clock
  const sentAt = Date.now();
  clock.learn(new Date(sentAt - 3_600_000).toUTCString(), sentAt);
  const { event: shifted } = inTime(entry, details);
  assert.ok(Math.abs(Date.parse(shifted.occurred_at) - Date.parse(T(0))) < 3_000);
  assert.equal(inTime(entry, [{ ...details[0], reason: "order" }]), null);
});

test("a log that is refused after it was edited keeps the edits: one entry waits for the person, nothing is gone", async (t) => {
  const store = await device(t);
  const kept = await log(store, ada, "sleep", { started_at: T(0) });
  const asked = serve(() => [503, { code: "SERVICE_UNAVAILABLE" }]);
  await assert.rejects(sendNext(store));
  await edit(store, kept, { ended_at: T(30) });
  serve(({ method }) => method === "POST"
    ? [409, { code: "CONFLICT", details: [{ field: "events[0].event.started_at", message: "is taken", reason: "running" }] }]
    : [404, { code: "NOT_FOUND" }]);
  while (await sendNext(store));
  const [entry, ...more] = await all(store, "outbox");
  assert.deepEqual([entry.op, entry.event.ended_at, more, asked.length], ["create", T(30), [], 1]);
  assert.match(entry.rejected, /Another sleep/);
  assert.equal((await store.event("f", kept.id)).event.ended_at, T(30));
  assert.deepEqual(await all(store, "notices"), []);
});

test("a log that was deleted before it is refused is gone", async (t) => {
  const store = await device(t);
  const kept = await log(store, ada, "feeding", bottle);
  serve(() => [503, { code: "SERVICE_UNAVAILABLE" }]);
  await assert.rejects(sendNext(store));
  await remove(store, kept);
  serve(({ method }) => method === "POST" ? [403, { code: "FORBIDDEN", message: "Viewers only look" }] : [404, { code: "NOT_FOUND" }]);
  while (await sendNext(store));
  assert.deepEqual([await all(store, "outbox"), await all(store, "events")], [[], []]);
});
