// The last dose of each medicine: cases that the kit shares.

import assert from "node:assert/strict";
import { test } from "node:test";
import { lastDoses } from "../../../deploy/www/app/model/doses.js";
import { cases } from "./lately.mjs";

const HOUR = 3_600_000;
const NOW = Date.parse("2026-06-10T12:00:00Z");

for (const { name, given, shown } of cases("doses").cases) {
  test(name, () => {
    const doses = given.map(([hours, medicine]) => ({ time: NOW - hours * HOUR, event: { name: medicine } }));
    assert.deepEqual(lastDoses(doses, NOW).map(({ event, time }) => [(NOW - time) / HOUR, event.name]), shown);
  });
}
