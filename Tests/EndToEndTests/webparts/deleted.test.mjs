// What was deleted, and comes back.

import assert from "node:assert/strict";
import { test } from "node:test";
import "./english.mjs";
import { ada, all, device, event, serve, T } from "./device.js";
import { applyChanges, dropFamily, feedStores } from "../../../deploy/www/app/store/apply.js";
import { deletedOf, forgetOld } from "../../../deploy/www/app/store/deleted.js";
import { log, logFor, remove, restore } from "../../../deploy/www/app/store/log.js";
import { sendNext } from "../../../deploy/www/app/sync/outbox.js";
import { now } from "../../../deploy/www/app/store/clock.js";

const DAY = 86_400_000;
const change = (op, id, revision) => ({ entity: "feeding", id, op, revision, data: op === "upsert" ? event(id, revision) : null });
const feed = (store, ...changes) => store.write(feedStores, (table) => applyChanges(table, "f", changes, 9, false));
const ids = async (store, at = now()) => (await deletedOf(store, "ada", at)).map(({ id }) => id);
const bottle = { type: "bottle", amount_ml: 90, started_at: T(0) };

test("what anyone deletes is found, and is gone from there when anyone brings it back", async (t) => {
  const store = await device(t);
  await feed(store, change("upsert", "a", 1), change("upsert", "b", 2));
  await feed(store, change("delete", "a", 3));
  await remove(store, { family_id: "f", id: "b" });
  assert.deepEqual([new Set(await ids(store)), await all(store, "events")], [new Set(["a", "b"]), []]);
  await feed(store, change("upsert", "a", 4));
  assert.deepEqual([await ids(store), (await all(store, "events")).map(({ id }) => id)], [["b"], ["a"]]);
});

test("what comes back is asked of the server, or sent for the first time", async (t) => {
  const store = await device(t);
  const unsent = await log(store, ada, "feeding", bottle);
  await feed(store, change("upsert", "a", 1));
  await feed(store, change("delete", "a", 2));
  await remove(store, unsent);
  for (const { deleted, isUnsent, ...kept } of await deletedOf(store, "ada", now())) await restore(store, { kept, isUnsent });
  assert.deepEqual([await ids(store), (await all(store, "events")).length], [[], 2]);
  const asked = serve(({ path }) => path.endsWith("/restore") ? [200, { feeding: event("a", 5) }] : [201, { events: [{ type: "feeding", event: event(unsent.id, 6) }] }]);
  while (await sendNext(store));
  assert.deepEqual(new Set(asked.map(({ path }) => path)), new Set(["/children/ada/feedings/a/restore", "/children/ada/events"]));
  assert.deepEqual(await all(store, "outbox"), []);
});

test("what somebody deleted while a change of it waited is found there, too", async (t) => {
  const store = await device(t);
  const kept = await log(store, ada, "feeding", bottle);
  serve(() => [201, { events: [{ type: "feeding", id: kept.id, event: null, deleted: true }] }]);
  while (await sendNext(store));
  assert.deepEqual(await ids(store), [kept.id]);
});

test("after 30 days nothing of it is there, nor after the family has gone", async (t) => {
  const store = await device(t);
  await feed(store, change("upsert", "a", 1));
  await feed(store, change("delete", "a", 2));
  assert.deepEqual([await ids(store, now() + 29 * DAY), await ids(store, now() + 31 * DAY)], [["a"], []]);
  await forgetOld(store, now() + 29 * DAY);
  assert.equal((await all(store, "deleted")).length, 1);
  await forgetOld(store, now() + 31 * DAY);
  assert.deepEqual(await all(store, "deleted"), []);
  await feed(store, change("upsert", "a", 3));
  await feed(store, change("delete", "a", 4));
  await store.write(feedStores, (table) => dropFamily(table, "f"));
  assert.deepEqual(await all(store, "deleted"), []);
});

test("a child that is removed takes its deleted entries with it", async (t) => {
  const store = await device(t);
  await feed(store, change("upsert", "a", 1));
  await feed(store, change("delete", "a", 2));
  await feed(store, { entity: "child", id: "ada", op: "delete", data: null, revision: 3 });
  assert.deepEqual(await all(store, "deleted"), []);
});

test("of twins who did the same each has an entry, made at once", async (t) => {
  const store = await device(t);
  const made = await logFor(store, [ada, { id: "otto", family_id: "f" }], "feeding", bottle);
  assert.equal(new Set(made.map(({ id }) => id)).size, 2);
  assert.deepEqual((await all(store, "outbox")).map(({ child_id, event }) => [child_id, event.amount_ml]), [["ada", 90], ["otto", 90]]);
});
