// What a family asks in the night, by the cases that the kit has as well.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { askedInTheNight } from "../../../deploy/www/app/model/asked.js";

const cases = JSON.parse(readFileSync(new URL("../../Fixtures/asked/cases.json", import.meta.url), "utf8"));

for (const { name, asked, events, expected } of cases) {
  test(name, () => {
    const now = Date.parse(asked.now);
    assert.deepEqual(askedInTheNight(events, { ...asked, now }), expected);
    assert.deepEqual(askedInTheNight([...events].reverse(), { ...asked, now }), expected);
  });
}
