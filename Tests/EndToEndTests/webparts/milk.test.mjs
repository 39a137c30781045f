// Pumped milk that nobody has drunk yet, by the cases that the kit has as well.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { milkStash } from "../../../deploy/www/app/model/milk.js";

const cases = JSON.parse(readFileSync(new URL("../../Fixtures/milk/cases.json", import.meta.url), "utf8"));

for (const { name, now, events, expected } of cases) {
  test(name, () => {
    assert.deepEqual(milkStash(events, Date.parse(now)), expected);
    assert.deepEqual(milkStash([...events].reverse(), Date.parse(now)), expected);
  });
}
