// Times as they were picked.

import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.navigator ??= { language: "en-US" }; // an older node has none
const { inOrder } = await import("../../../deploy/www/app/screens/forms/times.js");
const { fromInput, setZone } = await import("../../../deploy/www/app/parts/format.js");
setZone("America/New_York");

const picked = (start, end) => inOrder({ started_at: new Date(fromInput(start)).toISOString(), ended_at: new Date(fromInput(end)).toISOString() });

test("an end before the start in the hour that comes twice is the later of two", () => {
  assert.deepEqual(picked("2026-11-01T01:50", "2026-11-01T01:10"), { started_at: "2026-11-01T05:50:00.000Z", ended_at: "2026-11-01T06:10:00.000Z" });
  for (const [start, end, minutes] of [["2026-11-01T01:10", "2026-11-01T01:50", 40], ["2026-10-31T20:00", "2026-11-01T07:00", 720], ["2026-11-02T01:50", "2026-11-02T01:10", -40]]) {
    const { started_at, ended_at } = picked(start, end);
    assert.equal((Date.parse(ended_at) - Date.parse(started_at)) / 60_000, minutes, start);
  }
});

test("what has no end stays as it is", () => {
  const open = { started_at: "2026-11-01T05:50:00.000Z" };
  assert.equal(inOrder(open), open);
  assert.deepEqual(inOrder({ occurred_at: "2026-11-01T05:50:00.000Z" }), { occurred_at: "2026-11-01T05:50:00.000Z" });
});
