// What goes on and what is over, and what was pumped in a day.

import assert from "node:assert/strict";
import { test } from "node:test";
import "./english.mjs";
import { averageOf, lastDays, trend } from "../../../deploy/www/app/model/trends.js";
import { missing } from "../../../deploy/www/app/parts/missing.js";
import { belongs, isOpen, isUnderWay, kinds } from "../../../deploy/www/app/store/kinds.js";
import { refusalOf } from "../../../deploy/www/app/transfer/kinds.js";

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

test("the description of a kind names fields that it has", () => {
  for (const [name, { time, end, atLeastOneOf = [], fields }] of Object.entries(kinds)) {
    for (const field of [time, ...(end ? [end] : []), ...atLeastOneOf]) assert.ok(field in fields, `${name}: ${field}`);
    assert.equal(fields[time].form, "time");
  }
});

test("a field belongs to the types that the description names, or to all", () => {
  for (const [field, type, expected] of [
    ["food", "solid", true], ["food", "bottle", false], ["left_minutes", "breast", true], ["left_minutes", "solid", false], ["notes", "solid", true],
    ["mood", "solid", true],
  ]) assert.equal(belongs("feeding", field, type), expected, `${field} of ${type}`);
  assert.ok(belongs("diaper", "color", "wet"));
});

test("what an import refuses and what a form asks for are the server's bounds", () => {
  const at = new Date(NOW - HOUR).toISOString();
  for (const [kind, { time, fields }] of Object.entries(kinds)) {
    const type = fields.type?.words[0];
    const event = { [time]: at, ...(type && { type }) };
    for (const [field, { least, most, longest }] of Object.entries(fields)) {
      const values = longest ? ["x".repeat(longest), "x".repeat(longest + 1)] : least === undefined ? [] : [most, most + 1];
      assert.deepEqual(values.map((value) => refusalOf(kind, { ...event, [field]: value }, NOW) === null), values.map((_, place) => place === 0), `${kind}.${field}`);
    }
  }
  const inForm = (amount_ml) => missing("discard", { amount_ml, occurred_at: at }).replaceAll("\u00a0", " ");
  assert.deepEqual([inForm(2000), inForm(2001)], ["", "The amount must be between 0.1 ml and 2000 ml."]);
  assert.match(inForm(null), /how much/);
  assert.match(missing("feeding", { type: "bottle", amount_ml: 1001 }), /between 0.1\sml and 1000\sml/);
});

globalThis.localStorage ??= { getItem: () => null };
globalThis.location ??= { hash: "" };
const { summary } = await import("../../../deploy/www/app/parts/text.js");

test("an imported entry without an end is no clock, but of a sleep", () => {
  const [logged, imported] = ["019f0000-0000-7000-8000-000000000000", "a1b2c3d4-e5f6-8000-8000-000000000000"];
  const open = (id) => [["activity", {}], ["pumping", {}], ["feeding", { type: "breast" }], ["sleep", {}]]
    .filter(([type, event]) => isUnderWay({ type, time: 0, event: { id, ...event } }, 60_000)).map(([type]) => type);
  assert.deepEqual([open(logged), open(imported)], [["activity", "pumping", "feeding", "sleep"], ["sleep"]]);
  assert.equal(summary("pumping", { id: imported, side: "left" }), "Pumped, left");
});
