// The store: what a person does, what the server says, and what becomes of both.

import assert from "node:assert/strict";
import { test } from "node:test";
import { ada, all, device, event, T } from "./device.js";
import { applyChanges, clearFamily, dropFamily, feedStores } from "../../../deploy/www/app/store/apply.js";
import { edit, log, remove, restore } from "../../../deploy/www/app/store/log.js";
import { record } from "../../../deploy/www/app/store/merge.js";
import { open } from "../../../deploy/www/app/store/database.js";

const upsert = (data, entity = "feeding") => ({ entity, id: data.id, op: "upsert", data, revision: data.revision });
const feed = (store, changes, family = "f", next = 9) => store.write(feedStores, (table) => applyChanges(table, family, changes, next, false));
const key = (id, family_id = "f") => ({ id, family_id });
const bottle = { type: "bottle", amount_ml: 90, started_at: T(0) };

test("a log and its edits are one creation until it is sent", async (t) => {
  const store = await device(t);
  const kept = await log(store, ada, "feeding", bottle);
  await edit(store, kept, { amount_ml: 120 });
  const [entry, ...more] = await all(store, "outbox");
  assert.deepEqual([entry.op, entry.event.amount_ml, more.length], ["create", 120, 0]);
  assert.equal((await store.event("f", kept.id)).event.amount_ml, 120);
});

test("edits of what the server has are one patch, to which the first is the base", async (t) => {
  const store = await device(t);
  await feed(store, [upsert(event("a", 3))]);
  await edit(store, key("a"), { amount_ml: 120 });
  await edit(store, key("a"), { notes: "calm" });
  const [{ op, patch, base }, ...more] = await all(store, "outbox");
  assert.deepEqual([op, patch, base.revision, more.length], ["edit", { amount_ml: 120, notes: "calm" }, 3, 0]);
});

test("fields of a newer server survive an edit, and are not sent", async (t) => {
  const store = await device(t);
  await feed(store, [upsert(event("a", 3, { mood: "fine" }))]);
  await edit(store, key("a"), { amount_ml: 120 });
  assert.equal((await store.event("f", "a")).event.mood, "fine");
  assert.deepEqual((await all(store, "outbox"))[0].patch, { amount_ml: 120 });
});

test("an event of a kind that only a newer server knows is kept, and is not changed here", async (t) => {
  const store = await device(t);
  const bath = { id: "n", child_id: "ada", occurred_at: T(5), water: "warm", revision: 4 };
  await feed(store, [upsert(bath, "bath"), { entity: "recipe", id: "p", op: "upsert", data: { id: "p", every: "day" }, revision: 5 }]);
  assert.deepEqual((await all(store, "events")).map(({ id, type, event }) => [id, type, event]), [["n", "bath", bath]]);
  await edit(store, key("n"), { water: "cold" });
  assert.equal(await remove(store, key("n")), null);
  assert.deepEqual([await all(store, "outbox"), (await store.event("f", "n")).event], [[], bath]);
  await feed(store, [{ entity: "bath", id: "n", op: "delete", data: null, revision: 6 }]);
  assert.deepEqual(await all(store, "events"), []);
});

test("an id is its family's: two families may have the same", async (t) => {
  const store = await device(t);
  const other = event("a", 5, { child_id: "ben", amount_ml: 30 });
  await feed(store, [upsert(event("a", 3))]);
  await feed(store, [upsert(other)], "g");
  await edit(store, key("a", "g"), { amount_ml: 40 });
  await feed(store, [upsert(event("a", 4, { amount_ml: 95 }))]);
  const amounts = async () => [(await store.event("f", "a"))?.event.amount_ml, (await store.event("g", "a"))?.event.amount_ml];
  assert.deepEqual(await amounts(), [95, 40]);
  await remove(store, key("a"));
  assert.deepEqual(await amounts(), [undefined, 40]);
  await store.write(feedStores, (table) => dropFamily(table, "f"));
  assert.deepEqual([await amounts(), (await all(store, "outbox")).map(({ family_id }) => family_id)], [[undefined, 40], ["g"]]);
});

test("the feed brings nothing older over what is here, and what waits stays on top", async (t) => {
  const store = await device(t);
  await feed(store, [upsert(event("a", 5))]);
  await feed(store, [upsert(event("a", 4, { amount_ml: 10 }))]);
  assert.equal((await store.event("f", "a")).event.amount_ml, 90);
  await edit(store, key("a"), { amount_ml: 120 });
  await feed(store, [upsert(event("a", 6, { notes: "calm" }))]);
  const { amount_ml, notes, revision } = (await store.event("f", "a")).event;
  assert.deepEqual([amount_ml, notes, revision], [120, "calm", 6]);
});

test("what was deleted or logged here is not undone by the feed", async (t) => {
  const store = await device(t);
  await feed(store, [upsert(event("a", 3))]);
  const removed = await remove(store, key("a"));
  const kept = await log(store, ada, "feeding", bottle);
  await feed(store, [upsert(event("a", 4)), { entity: "feeding", id: kept.id, op: "delete", data: null, revision: 7 }]);
  assert.deepEqual((await all(store, "events")).map(({ id }) => id), [kept.id]);
  await restore(store, removed);
  await feed(store, [upsert(event("a", 5))]);
  assert.equal((await store.event("f", "a")).event.revision, 5);
  await store.write(feedStores, (table) => clearFamily(table, "f"));
  assert.deepEqual((await all(store, "events")).map(({ id }) => id), [kept.id]);
});

test("a page of the feed reads of the outbox what waits for its events alone", async (t) => {
  const store = await device(t);
  for (let count = 0; count < 5; count += 1) await log(store, ada, "feeding", bottle);
  let read = 0;
  const counted = (source) => new Proxy(source, {
    get(target, name) {
      const value = target[name];
      if (name === "index") return (index) => counted(target.index(index));
      if (name !== "getAll") return typeof value === "function" ? value.bind(target) : value;
      return (query) => {
        const request = target.getAll(query);
        return new Proxy(request, { set(to, event, handler) {
          to[event] = event === "onsuccess" ? (told) => ((read += request.result.length), handler(told)) : handler;
          return true;
        } });
      };
    },
  });
  await store.write(feedStores, (table) =>
    applyChanges((name) => (name === "outbox" ? counted(table(name)) : table(name)), "f", [upsert(event("a", 3)), upsert(event("b", 4))], 9, false));
  assert.equal(read, 0);
  assert.equal((await all(store, "outbox")).length, 5);
});

test("a store of the first version keeps its events and what waits, and is read once more", async () => {
  const request = indexedDB.open("baby-basics-old", 1);
  const before = await new Promise((resolve) => {
    request.onupgradeneeded = () => {
      const database = request.result;
      for (const name of ["meta", "families", "members", "children", "notices"]) database.createObjectStore(name, { keyPath: name === "families" ? "id" : undefined });
      database.createObjectStore("events", { keyPath: "id" }).createIndex("time", ["child_id", "time"]);
      database.createObjectStore("outbox", { keyPath: "seq", autoIncrement: true }).createIndex("id", "id");
    };
    request.onsuccess = () => resolve(request.result);
  });
  const records = ["a", "b"].map((id) => ({ id, family_id: "f", child_id: "ada", type: "feeding", time: 1, event: event(id, 3) }));
  const filling = before.transaction();
  for (const one of records) filling.objectStore("events").put(one);
  filling.objectStore("families").put({ id: "f" });
  filling.objectStore("outbox").add({ op: "edit", id: "a", family_id: "f", patch: { notes: "x" }, aside: "Too long." });
  filling.objectStore("outbox").add({ op: "delete", id: "b", family_id: "f" });
  await new Promise((resolve) => { filling.oncomplete = resolve; });

  const database = await open("old");
  const reading = database.transaction();
  const ask = (request) => new Promise((resolve) => { request.onsuccess = () => resolve(request.result); });
  const [events, one, outbox, waiting, anew] = await Promise.all([
    ask(reading.objectStore("events").getAll()), ask(reading.objectStore("events").get(["f", "a"])), ask(reading.objectStore("outbox").getAll()),
    ask(reading.objectStore("outbox").index("event").getAll(["f", "b"])), ask(reading.objectStore("meta").get("anew:f")),
  ]);
  assert.deepEqual([events, one], [records, records[0]]);
  assert.deepEqual(outbox.map(({ seq, op, rejected, aside }) => [seq, op, rejected, aside]), [[1, "edit", "Too long.", undefined], [2, "delete", undefined, undefined]]);
  assert.deepEqual([waiting.map(({ op }) => op), anew], [["delete"], true]);
});

test("a store from before plans keeps what it has, and is read once more for them", async () => {
  const request = indexedDB.open("baby-basics-third", 3);
  const before = await new Promise((resolve) => {
    request.onupgradeneeded = () => {
      const database = request.result;
      for (const name of ["meta", "families", "outbox", "deleted"]) database.createObjectStore(name, { keyPath: name === "families" ? "id" : undefined });
      database.createObjectStore("events", { keyPath: ["family_id", "id"] });
    };
    request.onsuccess = () => resolve(request.result);
  });
  const kept = { id: "a", family_id: "f", child_id: "ada", type: "feeding", time: 1, event: event("a", 3) };
  const filling = before.transaction();
  filling.objectStore("events").put(kept);
  filling.objectStore("families").put({ id: "f" });
  await new Promise((resolve) => { filling.oncomplete = resolve; });
  const reading = (await open("third")).transaction();
  const ask = (request) => new Promise((resolve) => { request.onsuccess = () => resolve(request.result); });
  assert.deepEqual(await Promise.all([
    ask(reading.objectStore("events").getAll()), ask(reading.objectStore("events").index("plan").getAll()), ask(reading.objectStore("meta").get("anew:f")),
  ]), [[kept], [], true]);
});

test("what waits when a family or a child goes is kept with the notice, as the person meant it", async (t) => {
  const store = await device(t);
  await feed(store, [upsert(event("edited", 3)), upsert(event("rejected", 4)), upsert(event("deleted", 5)), upsert(event("sent", 6))]);
  const logged = await log(store, ada, "feeding", { ...bottle, notes: "mine" });
  for (const id of ["edited", "rejected"]) await edit(store, key(id), { amount_ml: 120 });
  await remove(store, key("deleted"));
  const refused = (await all(store, "outbox")).find(({ id }) => id === "rejected");
  await store.write(["outbox", "events"], async (table) => {
    table("outbox").put({ ...refused, rejected: "No." });
    table("events").put(record("feeding", event("rejected", 4), "f"));
  });
  const saved = async () => {
    const [notice, ...more] = await all(store, "notices");
    assert.deepEqual([more, notice.count, notice.unsent.map(({ id, name }) => [id, name])], [[], 4, [["ada", "Ada"]]]);
    return notice.unsent[0].events.map(({ event }) => [event.id, event.amount_ml, event.notes]).sort();
  };
  const meant = [[logged.id, 90, "mine"], ["edited", 120, null], ["rejected", 120, null]].sort();
  await feed(store, [{ entity: "child", id: "ada", op: "delete", data: null, revision: 9 }]);
  assert.deepEqual([await saved(), await all(store, "outbox"), await all(store, "events")], [meant, [], []]);
});

test("a family that goes leaves what waited in its notice", async (t) => {
  const store = await device(t);
  await log(store, ada, "feeding", bottle);
  await store.write(feedStores, (table) => dropFamily(table, "f"));
  const [{ kind, name, count, unsent }] = await all(store, "notices");
  assert.deepEqual([kind, name, count, unsent[0].events[0].event.amount_ml], ["family-gone", "Miller’s Family", 1, 90]);
  assert.deepEqual([await all(store, "outbox"), await all(store, "events")], [[], []]);
});

test("a child that goes takes no entry that somebody moved to another child", async (t) => {
  const store = await device(t);
  await feed(store, [upsert(event("a", 3))]);
  await edit(store, key("a"), { amount_ml: 120 });
  await feed(store, [upsert(event("a", 4, { child_id: "ben" })), { entity: "child", id: "ada", op: "delete", data: null, revision: 5 }]);
  assert.deepEqual([(await store.event("f", "a"))?.event.amount_ml, (await all(store, "outbox")).length], [120, 1]);
  assert.deepEqual(await all(store, "notices"), []);
});

test("a refused change that is tried again is saved as it was meant, and counted once", async (t) => {
  const store = await device(t);
  await feed(store, [upsert(event("a", 3))]);
  await edit(store, key("a"), { amount_ml: 120 });
  const [entry] = await all(store, "outbox");
  await store.write(["outbox", "events"], async (table) => {
    table("events").put(record("feeding", event("a", 3), "f"));
    table("outbox").put({ ...entry, tries: 1 });
  });
  await edit(store, key("a"), { notes: "calm" });
  await store.write(feedStores, (table) => dropFamily(table, "f"));
  const [{ count, unsent }] = await all(store, "notices");
  const { amount_ml, notes } = unsent[0].events[0].event;
  assert.deepEqual([count, unsent[0].events.length, amount_ml, notes], [1, 1, 120, "calm"]);
});
