// Reminders: one of each, kept here, and told to the server when it can be, after what they are about.

import assert from "node:assert/strict";
import { test } from "node:test";
import "./english.mjs";
import { ada, all, device, serve, T } from "./device.js";
import { dueAt } from "../../../deploy/www/app/model/reminders.js";
import { log, remove, retry } from "../../../deploy/www/app/store/log.js";
import { keptReminders, remind, reminders } from "../../../deploy/www/app/store/reminders.js";
import { sendNext } from "../../../deploy/www/app/sync/outbox.js";
import { readReminders } from "../../../deploy/www/app/sync/reminders.js";

const feeds = { child_id: "ada", on: "feeding" };
const shown = async (store) => (await reminders(store)).map(({ on, plan_id, after_minutes }) => [on ?? plan_id, after_minutes]);
const unsent = async (store) => Object.values((await keptReminders(store)).unsent);
const sync = async (store) => {
  while (await sendNext(store));
  await readReminders(store);
};

/** A server that keeps them as ours does: one of each, and of plans that it has. */
function keeping(...list) {
  const plans = new Set(["p"]);
  const asked = serve(({ method, path, body }) => {
    if (path.endsWith("/plans")) return [201, { plan: { ...body, child_id: "ada", revision: 4, created_at: T(0), updated_at: T(0) }, ...plans.add(body.id) && {} }];
    const place = list.findIndex((one) => path.endsWith(one.id) || (body && one.child_id === body.child_id && one.on === body.on));
    if (method === "GET") return [200, { reminders: list, count: list.length }];
    if (method === "DELETE") return place < 0 ? [404] : (list.splice(place, 1), [204]);
    if (body.plan_id && !plans.has(body.plan_id)) return [404, { message: "Plan not found" }];
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
  await sync(store);
  assert.deepEqual(asked.map(({ method }) => method), ["POST", "POST", "GET"]);
  assert.deepEqual([list.length, await unsent(store), await shown(store)], [2, [], [["feeding", 180], ["p", undefined]]]);
});

const iron = { name: "Iron", every_hours: 24, times: null, starts_on: "2026-06-01" };

test("on a plan that was made without a network, it goes after the plan, whatever comes first", async (t) => {
  const store = await device(t);
  const plan = await log(store, ada, "plan", iron);
  await remind(store, { child_id: "ada", plan_id: plan.id }, {});
  serve(({ path }) => (path.endsWith("/plans") ? [503, {}] : [404, {}]));
  await assert.rejects(sendNext(store));
  const { asked, list } = keeping();
  await sync(store);
  assert.deepEqual(asked.map(({ method, path }) => [method, path]),
    [["POST", "/children/ada/plans"], ["POST", "/users/me/reminders"], ["GET", "/users/me/reminders"]]);
  assert.deepEqual([list.map(({ plan_id }) => plan_id), await shown(store), await all(store, "notices")], [[plan.id], [[plan.id, undefined]], []]);
});

test("on a plan that was refused it waits for the person, and hinders no other", async (t) => {
  const store = await device(t);
  const plan = await log(store, ada, "plan", { ...iron, every_hours: 999 });
  await remind(store, { child_id: "ada", plan_id: plan.id }, {});
  await remind(store, feeds, { after_minutes: 120 });
  const asked = serve(({ path, body, method }) => (path.endsWith("/plans") ? [400, { details: [{ field: "every_hours", message: "must be at most 168" }] }]
    : method === "GET" ? [200, { reminders: [] }] : body.on ? [201, { reminder: body }] : [404, {}]));
  while (await sendNext(store));
  assert.deepEqual([asked.length, (await unsent(store)).map(({ plan_id }) => plan_id)], [2, [plan.id]]);
  const { list } = keeping();
  await retry(store, (await all(store, "outbox"))[0]);
  while (await sendNext(store));
  assert.deepEqual([list.map(({ plan_id }) => plan_id), await unsent(store)], [[plan.id], []]);
});

test("on a plan that is gone before anybody heard of it, it goes without a word", async (t) => {
  const store = await device(t);
  const plan = await log(store, ada, "plan", iron);
  await remind(store, { child_id: "ada", plan_id: plan.id }, {});
  await remove(store, plan);
  keeping();
  await sync(store);
  assert.deepEqual([await unsent(store), await all(store, "notices")], [[], []]);
});

test("one that another device made meanwhile is the same one, with what was said last", async (t) => {
  const store = await device(t);
  await remind(store, feeds, { after_minutes: 120 });
  const { list } = keeping({ id: "theirs", ...feeds, after_minutes: 240 });
  await sync(store);
  assert.deepEqual(list.map(({ id, after_minutes }) => [id, after_minutes]), [["theirs", 120]]);
  assert.deepEqual((await reminders(store)).map(({ id }) => id), ["theirs"]);
  await remind(store, feeds, null);
  assert.deepEqual(await shown(store), []);
  await sync(store);
  assert.deepEqual([list, await reminders(store)], [[], []]);
});

/** What happens while the first request is on its way. */
function meanwhile(happen) {
  const answer = globalThis.fetch;
  let isFirst = true;
  globalThis.fetch = async (...request) => {
    const answered = await answer(...request);
    if (isFirst) {
      isFirst = false;
      await happen();
    }
    return answered;
  };
}

test("what is changed while it is being told is told again", async (t) => {
  const store = await device(t);
  await remind(store, feeds, { after_minutes: 120 });
  const { list } = keeping();
  meanwhile(() => remind(store, feeds, { after_minutes: 240 }));
  await sendNext(store);
  assert.deepEqual(await shown(store), [["feeding", 240]]);
  await sync(store);
  assert.deepEqual([list.map(({ after_minutes }) => after_minutes), await unsent(store)], [[240], []]);
});

test("one that is told while the server's are read is not taken away by an answer that is older", async (t) => {
  const store = await device(t);
  await remind(store, feeds, { after_minutes: 120 });
  const { list } = keeping({ id: "other", child_id: "ada", on: "diaper", after_minutes: 60 });
  const copied = [...list];
  meanwhile(async () => {
    while (await sendNext(store));
  });
  const reading = globalThis.fetch;
  globalThis.fetch = async (url, request) => {
    if (request.method !== "GET" || list.length > 1) return reading(url, request);
    await reading(url, request);
    return new Response(JSON.stringify({ reminders: copied }), { headers: { Date: new Date().toUTCString() } });
  };
  await readReminders(store);
  assert.deepEqual((await shown(store)).map(([on]) => on).sort(), ["diaper", "feeding"]);
});

test("one that is refused goes, and that is said", async (t) => {
  const store = await device(t);
  await remind(store, feeds, { after_minutes: 120 });
  serve(({ method }) => (method === "POST" ? [404, { message: "Child not found" }] : [200, { reminders: [] }]));
  await sync(store);
  assert.deepEqual([await shown(store), (await all(store, "notices")).map(({ text }) => text)], [[], ["A reminder couldn’t be kept. Child not found."]]);
});

test("without an answer it waits", async (t) => {
  const store = await device(t);
  await remind(store, feeds, { after_minutes: 120 });
  globalThis.fetch = async () => { throw new TypeError("offline"); };
  await assert.rejects(sendNext(store));
  assert.equal((await unsent(store)).length, 1);
});
