// Patches: of one person, of two, and across a change of type.

import assert from "node:assert/strict";
import { test } from "node:test";
import { difference, merge, rebase, same, together } from "../../../deploy/www/app/store/merge.js";

const AT = "2026-06-10T12:00:00.000Z";
const LATER = Date.parse(AT) + 1;
const EARLIER = Date.parse(AT) - 1;
const base = { type: "bottle", amount_ml: 90, content: "formula", notes: null, started_at: "2026-06-10T10:00:00.000Z" };

test("what only this device changed stays, and what only others changed is not changed back", () => {
  const current = { ...base, notes: "sleepy", updated_at: AT };
  assert.deepEqual(rebase(base, { amount_ml: 120 }, current, EARLIER), { patch: { amount_ml: 120 }, both: [] });
});

test("of what both changed the later change holds, and both values are told", () => {
  const current = { ...base, amount_ml: 100, updated_at: AT };
  const told = { field: "amount_ml", mine: 120, theirs: 100 };
  assert.deepEqual(rebase(base, { amount_ml: 120 }, current, LATER), { patch: { amount_ml: 120 }, both: [{ ...told, kept: "mine" }] });
  assert.deepEqual(rebase(base, { amount_ml: 120 }, current, EARLIER), { patch: {}, both: [{ ...told, kept: "theirs" }] });
});

test("both did the same: nothing is left to send, and nothing to tell", () => {
  const current = { ...base, amount_ml: 120, started_at: "2026-06-10T12:00:00+02:00", updated_at: AT };
  assert.deepEqual(rebase(base, { amount_ml: 120, started_at: "2026-06-10T10:00:00.000Z" }, current, LATER), { patch: {}, both: [] });
});

test("what others took away is a change, too", () => {
  const current = { ...base, content: null, updated_at: AT };
  assert.deepEqual(rebase(base, { content: "mixed" }, current, EARLIER).both, [{ field: "content", mine: "mixed", theirs: null, kept: "theirs" }]);
});

test("absent, null and false are the same, zero and an empty text are not", () => {
  assert.deepEqual([same(undefined, null), same(false, undefined), same(0, null), same("", null), same(true, false)], [true, true, false, false, false]);
  assert.deepEqual(difference({ for_doctor: true }, { for_doctor: false }, ["for_doctor"]), { for_doctor: false });
  assert.deepEqual(difference({ content: "a" }, {}, ["content"]), { content: null });
});

test("a change of type takes away what the new type does not have, and nothing of a newer server", () => {
  const breast = { type: "breast", side: "both", left_minutes: 12, right_minutes: 8, last_side: "left", notes: "calm", mood: "fine" };
  assert.deepEqual(merge("feeding", breast, { type: "bottle", amount_ml: 60 }), { type: "bottle", amount_ml: 60, notes: "calm", mood: "fine" });
  assert.deepEqual(merge("feeding", breast, { notes: null }), { ...breast, notes: null });
  assert.deepEqual(merge("diaper", { type: "wet", color: "green" }, { type: "dirty" }), { type: "dirty", color: "green" });
});

test("two patches as one hold what the last type has, and nothing of the others", () => {
  const first = { type: "solid", food: "Pear" };
  const after = { type: "bottle", amount_ml: 60, notes: "calm" };
  assert.deepEqual(together("feeding", { ...first, ...after }, after), { type: "bottle", amount_ml: 60, content: null, notes: "calm" });
  assert.deepEqual(together("feeding", { notes: "calm" }, { type: "breast" }), { notes: "calm" });
  assert.deepEqual(together("diaper", { type: "wet" }, { type: "wet" }), { type: "wet" });
});
