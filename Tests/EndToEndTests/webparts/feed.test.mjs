// The feed: page by page, read anew where the store or the server says so, and the end of a membership in each.

import assert from "node:assert/strict";
import { test } from "node:test";
import { all, device, event, serve } from "./device.js";
import { pull } from "../../../deploy/www/app/sync/feed.js";

const change = (id, revision) => ({ entity: "feeding", id, op: "upsert", revision, data: event(id, revision) });
const set = (store, values) => store.write(["meta", "events"], async (table) => {
  for (const [key, value] of Object.entries(values)) table("meta").put(value, key);
  table("events").put({ id: "old", family_id: "f", child_id: "ada", type: "feeding", time: 1, event: event("old", 1) });
});
const ids = async (store) => (await all(store, "events")).map(({ id }) => id);
const since = ({ path }) => Number(/since=(\d+)/.exec(path)[1]);

test("from where it is, all pages, 1,000 changes at a time", async (t) => {
  const store = await device(t);
  await set(store, { "since:f": 4 });
  const asked = serve((request) => [200, since(request) === 4 ? { changes: [change("a", 5)], next_since: 5, has_more: true } : { changes: [change("b", 6)], next_since: 6, has_more: false }]);
  assert.equal(await pull(store, "f"), 2);
  assert.deepEqual([await ids(store), asked.map(since)], [["a", "b", "old"], [4, 5]]);
  assert.ok(asked.every(({ path }) => path.includes("limit=1000")));
});

for (const [name, meta, gone] of [["a store that was taken over", { "since:f": 4, "anew:f": true }, false], ["410", { "since:f": 4 }, true]]) {
  test(`read anew: ${name}`, async (t) => {
    const store = await device(t);
    await set(store, meta);
    const asked = serve((request) => gone && since(request) === 4 ? [410, {}] : [200, { changes: [change("a", 5)], next_since: 5, has_more: false }]);
    await pull(store, "f");
    await pull(store, "f");
    assert.deepEqual([await ids(store), asked.map(since)], [["a"], gone ? [4, 0, 5] : [0, 5]]);
  });

  test(`a family that one is not in any more goes: ${name}`, async (t) => {
    const store = await device(t);
    await set(store, meta);
    serve((request) => gone && since(request) === 4 ? [410, {}] : [403, {}]);
    assert.equal(await pull(store, "f"), 0);
    assert.deepEqual([await ids(store), await all(store, "families")], [[], []]);
  });
}
