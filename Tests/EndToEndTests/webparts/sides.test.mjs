// The clock of a breast feed.

import assert from "node:assert/strict";
import { test } from "node:test";
import { changesOf, fieldsAt, sidesAt } from "../../../deploy/www/app/model/sides.js";

const M = 60_000;
const at = (...changes) => changes.map(([minute, side]) => ({ at: minute * M, side }));

test("each side has its minutes, and a pause has none", () => {
  const changes = at([0, "left"], [7, null], [10, "left"], [12, "right"]);
  assert.deepEqual(sidesAt(changes, 20 * M), { left: 9 * M, right: 8 * M, last: "right", isPaused: false });
  assert.deepEqual(fieldsAt(changes, 20 * M), { side: "both", left_minutes: 9, right_minutes: 8, last_side: "right" });
});

test("a feed that ends in a pause ended before it", () => {
  const changes = at([0, "right"], [8, null]);
  assert.deepEqual(sidesAt(changes, 60 * M), { left: 0, right: 8 * M, last: "right", isPaused: true });
  assert.deepEqual(fieldsAt(changes, 60 * M), { side: "right", left_minutes: null, right_minutes: 8, last_side: "right" });
});

test("a slip of the thumb is no side", () => {
  assert.deepEqual(fieldsAt(at([0, "left"], [9, "right"]), 9.3 * M), { side: "left", left_minutes: 9, right_minutes: null, last_side: "left" });
  assert.deepEqual(fieldsAt(at([0, "left"], [0.3, "right"]), 9.3 * M), { side: "right", left_minutes: null, right_minutes: 9, last_side: "right" });
  assert.deepEqual(fieldsAt(at([0, "left"]), 0.2 * M), { side: "left", left_minutes: null, right_minutes: null, last_side: "left" });
});

test("what another device switched goes on from its minutes", () => {
  assert.deepEqual(changesOf(0, { side: "left" }), at([0, "left"]));
  assert.deepEqual(changesOf(0, { side: "both", left_minutes: 7, last_side: "right" }), at([0, "left"], [7, "right"]));
  assert.deepEqual(fieldsAt(changesOf(0, { side: "both", left_minutes: 7, last_side: "right" }), 12 * M), { side: "both", left_minutes: 7, right_minutes: 5, last_side: "right" });
  assert.deepEqual([changesOf(0, { side: "both" }), fieldsAt([], M)], [[], {}]);
});

test("a clock that runs behind the first change takes nothing away", () => {
  assert.deepEqual(sidesAt(at([5, "left"]), 0), { left: 0, right: 0, last: "left", isPaused: false });
});
