// Which feed the clock counts from, and from when.

import assert from "node:assert/strict";
import { test } from "node:test";
import { countedFrom, feedToCountFrom } from "../../../deploy/www/app/model/feeds.js";

const feed = (type, time, ended_at) => ({ time, event: { type, ended_at } });
const [solid, bottle, breast] = [feed("solid", 30), feed("bottle", 20), feed("breast", 10, new Date(15).toISOString())];

test("solids don't reset the clock, unless the device was told so", () => {
  assert.equal(feedToCountFrom([solid, bottle, breast], solid, false), bottle);
  assert.equal(feedToCountFrom([solid, bottle, breast], solid, true), solid);
});

test("a child that eats nothing but solids is counted by them", () => {
  assert.equal(feedToCountFrom([solid], solid, false), solid);
  assert.equal(feedToCountFrom([], breast, false), breast);
  assert.equal(feedToCountFrom([], null, false), null);
});

test("the count is from the start, or from the end where it is known", () => {
  assert.deepEqual([countedFrom(breast, false), countedFrom(breast, true), countedFrom(bottle, true)], [10, 15, 20]);
});
