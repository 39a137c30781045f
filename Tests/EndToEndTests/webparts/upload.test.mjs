import assert from "node:assert/strict";
import { test } from "node:test";
import { english } from "./english.mjs";
import { oneByOne } from "../../../deploy/www/app/transfer/one-by-one.js";
import { afterError, batchesOf, upload } from "../../../deploy/www/app/transfer/upload.js";
import { useCatalog } from "../../../deploy/www/app/words.js";

const some = (count, more = {}) => Array.from({ length: count }, (_, place) => ({
  id: `id-${place}`, kind: "note", child: "emma",
    event: { content: `note ${place}`, occurred_at: "2026-02-25T12:00:00.000Z" },
  file: "note.csv", line: place + 2, cells: [], ...more,
}));
const refusal = (status, details = [], message = "No", retryAfter = 0) =>
  Object.assign(new Error(message), { status, details, retryAfter });

/** A server that holds what it got, by id; `fail` may throw before or after. */
function server(fail = () => {}) {
  const held = new Map();
  const calls = [];
  return {
    held, calls,
    async send(child, events) {
      calls.push({ child, count: events.length });
      fail(calls.length, events, "before");
      for (const one of events) held.set(one.event.id, { child, ...one });
      fail(calls.length, events, "after");
      return { events: events.map((one) => ({ type: one.type, event: one.event })) };
    },
  };
}

/** Uploads without waiting; gives back also how long it would have waited. */
async function run(events, to, more = {}) {
  const waits = [];
  const signal = more.signal ?? new AbortController().signal;
  const seen = [];
  const outcome = await upload(events, {
    send: to.send, signal, pace: 0, wait: async (milliseconds) => { waits.push(milliseconds); },
      progress: (done, note) => seen.push([done, note]), ...more,
  });
  return { ...outcome, waits, seen };
}

test("500 at a time, each child's together", async () => {
  const to = server();
  const outcome = await run([...some(1200), ...some(3, { child: "noah" })], to);
  assert.deepEqual(to.calls,
    [{ child: "emma", count: 500 }, { child: "emma", count: 500 }, { child: "emma", count: 200 },
    { child: "noah", count: 3 }]);
  assert.deepEqual([outcome.added, outcome.left, outcome.stopped], [1203, 0, null]);
  assert.deepEqual(outcome.seen.map(([done]) => done), [0, 500, 1000, 1200, 1203]);
});

test("a batch stays under the limit of a body", () => {
  const batches = batchesOf(some(500).map((one) => ({ ...one, event: { ...one.event, content: "ü".repeat(2500) } })));
  assert.ok(batches.length >= 3);
  assert.equal(batches.flat().length, 500);
  for (const batch of batches) {
    const items = batch.map(({ kind, id, event }) => ({ type: kind, event: { id, ...event } }));
    const body = JSON.stringify({ events: items });
    assert.ok(new TextEncoder().encode(body).length < 1024 * 1024);
  }
});

test("within 100 requests a minute, with room for what else the app asks; ten thousand needn't wait", async (t) => {
  t.mock.method(Date, "now", () => 1_000); // an answer that takes no time
  assert.deepEqual((await run(some(10_000), server(), { pace: undefined })).waits, []);
  const { waits } = await run(some(20_000), server(), { pace: undefined });
  assert.equal(waits.length, 14);
  assert.ok(waits.every((wait) => wait > 900 && wait <= 1000));
});

test("an answer that is lost is asked for again with the same ids", async () => {
  const to = server((call, _, when) => { if (call === 1 && when === "after") throw new Error("connection lost"); });
  const outcome = await run(some(10), to);
  assert.deepEqual([outcome.added, to.held.size, to.calls.length], [10, 10, 2]);
  assert.match(outcome.seen[1][1], /No connection/);
});

test("too many requests: waits as long as the server says", async () => {
  const to = server((call, _, when) => {
    if (call === 1 && when === "before") throw refusal(429, [], "Slow down", 17);
  });
  const { added, waits } = await run(some(10), to);
  assert.equal(added, 10);
  assert.ok(waits[0] >= 8_500 && waits[0] <= 17_000 || waits[0] === 17_000, `${waits[0]}`);
});

test("what the server refuses is put aside with its reason, and the rest goes on", async () => {
  const to = server((call, events, when) => {
    if (when !== "before") return;
    const bad = events.findIndex(({ event }) => event.id === "id-3");
    const at = `events[${bad}].event`;
    const details = [{ field: `${at}.content`, message: "must be shorter" }, { field: `${at}.notes`, message: "too" }];
    if (bad >= 0) throw refusal(400, details);
  });
  const outcome = await run(some(600), to);
  assert.deepEqual(outcome.refused.map(({ one, reason }) => [one.line, reason]), [[5, "content must be shorter"]]);
  assert.deepEqual([outcome.added, to.held.size, to.held.has("id-3"), outcome.left], [599, 599, false, 0]);
});

test("a refusal that names no event is looked for by halves", async () => {
  const to = server((call, events, when) => {
    const isThere = events.some(({ event }) => event.id === "id-77");
    if (when === "before" && isThere) throw refusal(400, [{ field: "body", message: "bad" }]);
  });
  const outcome = await run(some(200), to);
  assert.deepEqual(outcome.refused.map(({ one }) => one.id), ["id-77"]);
  assert.equal(outcome.added, 199);
});

test("what was deleted here stays deleted", async () => {
  const gone = { type: "note", id: "id-1", event: null, deleted: true };
  const send = async (_, events) => ({ events: events.map((one, place) => place === 1 ? gone : one) });
  const outcome = await run(some(3), { send });
  assert.deepEqual([outcome.added, outcome.deleted], [2, 1]);
});

test("stopped by a person: what is there stays, the rest is counted", async () => {
  const control = new AbortController();
  const to = server((call, _, when) => { if (call === 2 && when === "after") control.abort(); });
  const outcome = await run(some(2000), to, { signal: control.signal });
  assert.deepEqual([outcome.added, outcome.left, outcome.stopped], [1000, 1000, null]);
});

test("where English isn't read, the server's refusals are said by field, reason and code", (context) => {
  useCatalog("de", {
    ...english, "field.content": "Text", "reason.too_long": "ist zu lang", "refusal.field": "{field} {why}.", "code.forbidden": "Das geht nicht.",
  });
  context.after(() => useCatalog("en", english));
  const [batch] = batchesOf(some(2));
  const details = [{ field: "events[1].event.content", message: "must be shorter", reason: "too_long" }];
  const { refused } = afterError(Object.assign(refusal(400, details), { code: "VALIDATION_ERROR" }), batch);
  assert.deepEqual(refused.map(({ one, reason }) => [one.id, reason]), [["id-1", "Text ist zu lang."]]);
  assert.equal(afterError(Object.assign(refusal(403), { code: "FORBIDDEN" }), batch).stop, "Das geht nicht.");
});

test("signed out, not allowed, child gone, ceiling: it ends and says why", async () => {
  for (const [error, said] of [
    [refusal(401), /signed out/], [refusal(403, [], "Viewers can only look"), /Viewers can only look\./],
      [refusal(404), /no longer in the family/],
  ]) {
    const outcome = await run(some(700),
      server((call, _, when) => { if (call === 2 && when === "before") throw error; }));
    assert.match(outcome.stopped, said);
    assert.deepEqual([outcome.added, outcome.left], [500, 200]);
  }
});

test("a ceiling: it ends after a few requests, and what was refused is left, not lost", async () => {
  const to = server((call, _, when) => {
    if (call > 1 && when === "before") throw refusal(409, [], "This family has logged 50,000 events today");
  });
  const outcome = await run(some(1000), to);
  assert.equal(outcome.stopped, "This family has logged 50,000 events today.");
  assert.deepEqual([outcome.added, outcome.left, outcome.refused], [500, 500, []]);
  assert.ok(to.calls.length < 20, `${to.calls.length} requests`);
});

test("no server for minutes: it waits, and goes on by itself", async () => {
  let calls = 0;
  const to = server();
  const send = async (...asked) => {
    calls += 1;
    if (calls <= 40) throw new Error("offline");
    return to.send(...asked);
  };
  const outcome = await run(some(10), { send });
  assert.deepEqual([outcome.added, outcome.left, outcome.stopped], [10, 0, null]);
  assert.equal(outcome.waits.length, 40);
  assert.ok(outcome.waits.every((wait, place) => wait >= 1000 * 2 ** Math.min(place, 4) && wait <= 60_000));
  assert.match(outcome.seen.at(-2)[1], /goes on by itself/);
});

test("without a network it waits for the network, and is still stopped by a person", async () => {
  const asked = [];
  const control = new AbortController();
  const wait = async (milliseconds, signal, wakers) => {
    asked.push(wakers);
    if (asked.length === 3) control.abort();
  };
  const outcome = await run(some(10), { send: async () => { throw new Error("offline"); } }, { wait, signal: control.signal });
  assert.equal(outcome.left, 10);
  assert.deepEqual(asked.map(([[target, name]]) => [target === globalThis, name]), Array(3).fill([true, "online"]));
});

test("what came of a batch is noted before the next is sent", async () => {
  const noted = [];
  const to = server((call) => { if (call === 2) assert.equal(noted.length, 500); });
  await run(some(600), to, {
    async taken(batch, answered) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      noted.push(...answered.map(({ event }, place) => [batch[place].id, event.id]));
    },
  });
  assert.equal(noted.length, 600);
  assert.ok(noted.every(([one, other]) => one === other));
});

/** Sends each; `answers` gives the errors of some, by number, in order. */
async function each(count, answers, more = {}) {
  const sent = [];
  const waits = [];
  const outcome = await oneByOne(some(count), {
    signal: new AbortController().signal, wait: async (milliseconds) => { waits.push(milliseconds); },
    async send({ id }) {
      const place = Number(id.slice(3));
      const error = answers[place]?.shift();
      if (error) throw error;
      sent.push(place);
    },
    ...more,
  });
  return { ...outcome, sent, waits };
}

test("one by one: what somebody changed stays, what is gone is gone, what is refused is named, and the rest goes on", async () => {
  const outcome = await each(6, {
    1: [refusal(412)], 2: [refusal(404)], 3: [refusal(400, [{ field: "ended_at", message: "is before the start" }], "Invalid")],
    4: [refusal(503), Object.assign(new Error("no answer"), { status: undefined }), refusal(429, [], "Slow", 7)],
  });
  assert.deepEqual(outcome.sent, [0, 4, 5]);
  assert.deepEqual([outcome.done, outcome.gone, outcome.changed.map(({ id }) => id), outcome.left, outcome.stopped], [3, 1, ["id-1"], 0, null]);
  assert.deepEqual(outcome.refused.map(({ one }) => one.id), ["id-3"]);
  assert.equal(outcome.waits.length, 3);
  assert.equal(outcome.waits[2], 7000);
});

test("one by one: the first few at once, then under the limit of requests; a no to all stops it", async () => {
  const { waits } = await each(100, {});
  assert.equal(waits.length, 74);
  assert.ok(waits.every((wait) => wait > 60_000 / 100));
  const stopped = await each(10, { 4: [refusal(401)] });
  assert.deepEqual([stopped.done, stopped.left], [4, 6]);
  assert.match(stopped.stopped, /signed out/);
});
