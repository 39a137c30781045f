// Which feed the clock counts from, and from when: cases that the kit shares.

import assert from "node:assert/strict";
import { test } from "node:test";
import { countedFrom, feedToCountFrom } from "../../../deploy/www/app/model/feeds.js";
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
