// What goes on and what is over, and what was pumped in a day.

import assert from "node:assert/strict";
import { test } from "node:test";
import { averageOf, lastDays, trend } from "../../../deploy/www/app/model/trends.js";
import { isOpen, isUnderWay, kinds } from "../../../deploy/www/app/store/kinds.js";

const HOUR = 3_600_000;
const NOW = Date.parse("2026-06-10T16:00:00Z");

test("what can be under way until somebody says that it ended", () => {
  const ended_at = "2026-06-10T15:00:00.000Z";
  for (const [type, event, expected] of [
    ["sleep", {}, true], ["feeding", { type: "breast" }, true], ["feeding", { type: "bottle" }, false], ["feeding", { type: "solid" }, false],
    ["activity", { name: "Walk" }, true], ["pumping", {}, true], ["pumping", { amount_ml: 90 }, false], ["diaper", { type: "wet" }, false],
    ["medication", { name: "Ibuprofen" }, false], ["temperature", { celsius: 38 }, false], ["measurement", { weight_g: 5000 }, false],
  ]) {
    assert.equal(isOpen(type, event), expected, `${type} ${JSON.stringify(event)}`);
    assert.equal(isOpen(type, { ...event, ended_at }), false, `${type} that has ended`);
  }
});

test("a sleep goes on for a day, anything else for four hours", () => {
  const isOn = (type, hours) => isUnderWay({ type, time: NOW - hours * HOUR, event: { type: "breast" } }, NOW);
  assert.deepEqual([isOn("sleep", 23.9), isOn("sleep", 24)], [true, false]);
  for (const type of ["feeding", "pumping", "activity"]) assert.deepEqual([isOn(type, 3.9), isOn(type, 4)], [true, false], type);
});

test("milk that was pumped belongs to the day in which it began, and opens the days that are known", () => {
  const person = { timezone: "America/New_York", dayStart: "07:00" };
  const { edges } = lastDays(NOW, 7, person);
  const pumped = (at, amount_ml) => ({ type: "pumping", at, event: { started_at: at, amount_ml } });
  const days = trend([
    pumped("2026-06-08T12:00:00.000Z", 80.5), pumped("2026-06-08T13:00:00.000Z", 40.3), pumped("2026-06-10T10:59:59.000Z", 60),
    pumped("2026-06-10T11:00:00.000Z", 100), pumped("2026-06-10T12:00:00.000Z", undefined),
  ], edges, NOW);
  assert.deepEqual(days.map((day) => day?.pumpedMl ?? null), [null, null, null, null, 120.8, 60, 100]);
  assert.equal(averageOf(days, (day) => day.pumpedMl), 90.4);
});

test("each kind begins at a field of its own", () => {
  for (const [type, { starts, lasts, fields }] of Object.entries(kinds)) {
    assert.ok(fields.includes(starts), type);
    assert.equal(fields.includes("ended_at"), lasts, type);
  }
});
