// What the last days add up to, beside the dashboard's sums.

import assert from "node:assert/strict";
import { test } from "node:test";
import { gapsOf, trend } from "../../../deploy/www/app/model/trends.js";

const DAY = 86_400_000;
const START = Date.parse("2026-06-09T07:00:00Z");
const edges = [START, START + DAY, START + 2 * DAY];
const at = (hour) => new Date(START + hour * 3_600_000).toISOString();
let made = 0;
const feed = (hour, type = "bottle", lasts = 0) => ({
  type: "feeding", at: at(hour), event: { id: `f${(made += 1)}`, type, started_at: at(hour), ended_at: lasts ? at(hour + lasts) : null },
});
const gaps = (...events) => gapsOf(events, edges).map((day) => day.map((gap) => gap / 3_600_000));

test("a gap belongs to the day in which it ends, also one that began before the first", () => {
  assert.deepEqual(gaps(feed(27), feed(-2), feed(1), feed(23)), [[3, 22], [4]]);
});

test("the bottle after the breast is no feed of its own", () => {
  assert.deepEqual(gaps(feed(1, "breast", 0.5), feed(1.8), feed(5)), [[4], []]);
  assert.deepEqual(gaps(feed(1, "breast", 0.5), feed(2.25), feed(5)), [[1.25, 2.75], []]);
});

test("solids, what was deleted and days without entries make no gap", () => {
  const gone = feed(3);
  gone.event.deleted_at = at(4);
  assert.deepEqual(gaps(feed(1), feed(2, "solid"), gone, feed(5)), [[4], []]);
  assert.deepEqual(gaps(feed(-20), feed(6)), [[], []]);
  assert.deepEqual(gaps(), [[], []]);
});

test("feeds are told apart by type", () => {
  const [first] = trend([feed(1), feed(2, "breast"), feed(3, "breast"), feed(4, "solid")], edges, START + 2 * DAY);
  assert.deepEqual([first.feedings, first.feeds], [4, { breast: 2, bottle: 1, solid: 1 }]);
});
