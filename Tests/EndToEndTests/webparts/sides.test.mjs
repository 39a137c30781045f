// The clock of a breast feed: cases that the kit shares.

import assert from "node:assert/strict";
import { test } from "node:test";
import { changesOf, fieldsAt, sidesAt } from "../../../deploy/www/app/model/sides.js";
import { cases } from "./lately.mjs";

const MINUTE = 60_000;
const made = (changes) => changes.map(([minute, side]) => ({ at: minute * MINUTE, side }));
const { cases: clocks, untouched } = cases("sides");

for (const { name, changes, now, left, right, last, isPaused, fields } of clocks) {
  test(name, () => {
    const found = sidesAt(made(changes), now * MINUTE);
    assert.deepEqual([found.last, found.isPaused], [last, isPaused]);
    assert.deepEqual([found.left, found.right].map(Math.round), [left, right].map((minutes) => Math.round(minutes * MINUTE)));
    assert.deepEqual(fieldsAt(made(changes), now * MINUTE), fields);
  });
}

test("what another device switched goes on from its minutes", () => {
  for (const { feed, changes } of untouched) assert.deepEqual(changesOf(0, feed), made(changes));
});
