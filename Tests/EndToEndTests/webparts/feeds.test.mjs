// Which feed the clock counts from, and from when: cases that the kit shares.

import assert from "node:assert/strict";
import { test } from "node:test";
import { countedFrom, feedToCountFrom, wholeFeed } from "../../../deploy/www/app/model/feeds.js";
import { cases } from "./lately.mjs";

const MINUTE = 60_000;
const feed = ([type, from, to]) =>
  ({ time: from * MINUTE, event: { type, ended_at: to === undefined ? null : new Date(to * MINUTE).toISOString() } });
const { cases: counted, starts } = cases("feeds");

for (const { name, lately, last, solidsCount, counted: expected } of counted) {
  test(name, () => {
    const feeds = lately.map(feed);
    const found = feedToCountFrom(feeds, last ? feed(last) : (feeds[0] ?? null), solidsCount);
    assert.equal(found && found.time / MINUTE, expected);
  });
}

test("the count is from the start, or from the end where it is known", () => {
  for (const { feed: one, fromEnd, start } of starts) assert.equal(countedFrom(feed(one), fromEnd), start * MINUTE);
});

const bottle = (minutes) => ({ time: minutes * 60_000, event: { type: "bottle" } });
const breastUntil = (start, end) => ({ time: start * 60_000, event: { type: "breast", started_at: new Date(start * 60_000).toISOString(), ended_at: end && new Date(end * 60_000).toISOString() } });

test("bottles within half an hour of a breast feed's end are one feed with it, and it is counted from its start", () => {
  const [first, one, two] = [breastUntil(0, 20), bottle(25), bottle(50)];
  assert.deepEqual(wholeFeed([two, one, first], two), { first, bottles: [one, two] });
  assert.deepEqual(wholeFeed([one, first], one), { first, bottles: [one] });
  const late = bottle(51);
  assert.deepEqual(wholeFeed([late, first], late), { first: late, bottles: [] });
  assert.deepEqual(wholeFeed([first], first), { first, bottles: [] });
  assert.deepEqual(wholeFeed([one], one), { first: one, bottles: [] });
  assert.equal(wholeFeed([], null), null);
});

test("what nobody timed ended where it began; solids in between are no feed", () => {
  const [first, pear, last] = [breastUntil(0, null), { time: 600_000, event: { type: "solid" } }, bottle(29)];
  assert.equal(wholeFeed([last, pear, first], last).first, first);
});
