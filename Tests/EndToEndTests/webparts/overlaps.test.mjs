// Sleeps that overlap: cases that the kit shares.

import assert from "node:assert/strict";
import { test } from "node:test";
import { overlapping, overlapsMadeBy } from "../../../deploy/www/app/model/overlaps.js";
import { cases } from "./lately.mjs";

const at = (minute) => new Date(Date.parse("2026-06-10T12:00:00Z") + minute * 60_000).toISOString();
const sleep = (id, from, to, touched = 0, by = "me", editor = null) => ({
  id, time: Date.parse(at(from)), event: {
    id, started_at: at(from), ended_at: to === null ? null : at(to), created_by: { user_id: by },
    updated_by: editor && { user_id: editor }, created_at: at(touched), updated_at: at(touched),
  },
});
const { of, made } = cases("overlaps");

for (const { name, one, others, found } of of) {
  test(name, () => {
    const sleeps = [one, ...others].map(([id, from, to]) => sleep(id, from, to));
    assert.deepEqual(overlapping(sleeps[0], sleeps).map(({ id }) => id), found);
  });
}

for (const { name, sleeps, since, pairs } of made) {
  test(name, () => {
    const all = sleeps.map(({ id, from, to, touched, by, editor }) => sleep(id, from, to, touched, by, editor));
    const found = overlapsMadeBy(all, "me", Date.parse(at(since)));
    assert.deepEqual(found.map(({ one, other }) => [one.id, other.id]), pairs);
  });
}
