// Sleeps that overlap.

import assert from "node:assert/strict";
import { test } from "node:test";
import { overlapping, overlapsMadeBy } from "../../../deploy/www/app/model/overlaps.js";

const at = (minute) => new Date(Date.parse("2026-06-10T12:00:00Z") + minute * 60_000).toISOString();
const sleep = (id, start, end, { by = "me", touched = 0, updated_by = null } = {}) => ({
  id, time: Date.parse(at(start)), event: {
    id, started_at: at(start), ended_at: end === null ? null : at(end), created_by: { user_id: by }, updated_by, created_at: at(touched), updated_at: at(touched),
  },
});
const ids = (found) => found.map(({ id }) => id);
const pairs = (sleeps, since = -1_000) => overlapsMadeBy(sleeps, "me", Date.parse(at(since))).map(({ one, other }) => [one.id, other.id]);

test("what shares a moment overlaps; ends that touch don't", () => {
  const one = sleep("a", 60, 120);
  const others = [sleep("b", 0, 60), sleep("c", 120, 180), sleep("d", 119, 180), sleep("e", 0, 61), sleep("f", 70, 80), sleep("g", 50, null), sleep("h", 130, null)];
  assert.deepEqual(ids(overlapping(one, [one, ...others])), ["e", "g", "f", "d"]);
  assert.deepEqual(ids(overlapping(sleep("r", 100, null), others)), ["g", "d", "c", "h"]);
});

test("whoever touched the later of the two is told, and nobody else", () => {
  const theirs = sleep("t", 0, 60, { by: "rosa", touched: 60 });
  assert.deepEqual(pairs([theirs, sleep("m", 30, 90, { touched: 90 })]), [["m", "t"]]);
  assert.deepEqual(pairs([theirs, sleep("m", 30, 90, { touched: 50 })]), []);
  assert.deepEqual(pairs([theirs, sleep("m", 30, 90, { touched: 90, updated_by: { user_id: "rosa" } })]), []);
  assert.deepEqual(pairs([theirs, sleep("m", 60, 90, { touched: 90 })]), []);
});

test("what was made long ago is not brought up, and each pair comes once", () => {
  const both = [sleep("a", 0, 60, { touched: 60 }), sleep("b", 30, 90, { touched: 60 })];
  assert.deepEqual(pairs(both), [["b", "a"]]);
  assert.deepEqual(pairs(both, 61), []);
});
