// Reminders: one of each, kept here, and told to the server when it can be.

import assert from "node:assert/strict";
import { test } from "node:test";
import { all, device, serve } from "./device.js";
import { dueAt } from "../../../deploy/www/app/model/reminders.js";
import { remind, reminders, unsentReminders } from "../../../deploy/www/app/store/reminders.js";
import { syncReminders } from "../../../deploy/www/app/sync/reminders.js";

const feeds = { child_id: "ada", on: "feeding" };
const shown = async (store) => (await reminders(store)).map(({ on, plan_id, after_minutes }) => [on ?? plan_id, after_minutes]);

/** A server that keeps them as ours does: one of each. */
function keeping(...list) {
  const asked = serve(({ method, path, body }) => {
    const place = list.findIndex((one) => path.endsWith(one.id) || (body && one.child_id === body.child_id && one.on === body.on));
    if (method === "GET") return [200, { reminders: list, count: list.length }];
    if (method === "DELETE") return place < 0 ? [404] : (list.splice(place, 1), [204]);
    if (place < 0) list.push(body);
    else list[place] = { ...body, id: list[place].id };
    return [place < 0 ? 201 : 200, { reminder: list[place < 0 ? list.length - 1 : place] }];
  });
  return { asked, list };
}

test("due some time after the last one's start, of sleep after the last waking", () => {
  const last = { id: "a", time: 600_000, event: { ended_at: new Date(1_200_000).toISOString() } };
  assert.equal(dueAt({ id: "r", child_id: "ada", on: "feeding", after_minutes: 180 }, last), 600_000 + 180 * 60_000);
  assert.equal(dueAt({ id: "r", child_id: "ada", on: "sleep", after_minutes: 90 }, last), 1_200_000 + 90 * 60_000);
  assert.equal(dueAt({ id: "r", child_id: "ada", on: "sleep", after_minutes: 90 }, { ...last, event: {} }), null, "while asleep");
  assert.equal(dueAt({ id: "r", child_id: "ada", on: "diaper", after_minutes: 90 }, null), null);
});

test("made and changed without a network, it is there, and is told once", async (t) => {
  const store = await device(t);
  await remind(store, feeds, { after_minutes: 120 });
  await remind(store, feeds, { after_minutes: 180 });
  await remind(store, { child_id: "ada", plan_id: "p" }, {});
  assert.deepEqual(await shown(store), [["feeding", 180], ["p", undefined]]);
  const { asked, list } = keeping();
  await syncReminders(store);
  assert.deepEqual(asked.map(({ method }) => method), ["POST", "POST", "GET"]);
  assert.deepEqual([list.length, await unsentReminders(store), await shown(store)], [2, {}, [["feeding", 180], ["p", undefined]]]);
});

test("one that another device made meanwhile is the same one, with what was said last", async (t) => {
  const store = await device(t);
  await remind(store, feeds, { after_minutes: 120 });
  const { list } = keeping({ id: "theirs", ...feeds, after_minutes: 240 });
  await syncReminders(store);
  assert.deepEqual(list.map(({ id, after_minutes }) => [id, after_minutes]), [["theirs", 120]]);
  assert.deepEqual((await reminders(store)).map(({ id }) => id), ["theirs"]);
  await remind(store, feeds, null);
  assert.deepEqual(await shown(store), []);
  await syncReminders(store);
  assert.deepEqual([list, await reminders(store)], [[], []]);
});

test("what is changed while it is being told is told again", async (t) => {
  const store = await device(t);
  await remind(store, feeds, { after_minutes: 120 });
  const { list } = keeping();
  const answer = globalThis.fetch;
  let isFirst = true;
  globalThis.fetch = async (...request) => {
    if (isFirst) {
      isFirst = false;
      await remind(store, feeds, { after_minutes: 240 });
    }
    return answer(...request);
  };
  await syncReminders(store);
  assert.deepEqual(await shown(store), [["feeding", 240]]);
  await syncReminders(store);
  assert.deepEqual([list.map(({ after_minutes }) => after_minutes), await unsentReminders(store)], [[240], {}]);
});

test("one that is refused goes, and that is said", async (t) => {
  const store = await device(t);
  await remind(store, feeds, { after_minutes: 120 });
  serve(({ method }) => (method === "POST" ? [404, { message: "Child not found" }] : [200, { reminders: [] }]));
  await syncReminders(store);
  assert.deepEqual([await shown(store), (await all(store, "notices")).map(({ text }) => text)], [[], ["A reminder couldn’t be kept. Child not found."]]);
});

test("without an answer it waits", async (t) => {
  const store = await device(t);
  await remind(store, feeds, { after_minutes: 120 });
  globalThis.fetch = async () => { throw new TypeError("offline"); };
  await assert.rejects(syncReminders(store));
  assert.equal(Object.keys(await unsentReminders(store)).length, 1);
});
