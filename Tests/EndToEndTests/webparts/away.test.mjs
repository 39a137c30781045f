// What others logged while somebody was away.

import assert from "node:assert/strict";
import { test } from "node:test";
import "./english.mjs";
import { whileAway } from "../../../deploy/www/app/model/away.js";

globalThis.localStorage ??= { getItem: () => null };
globalThis.location ??= { hash: "" };
const { personText } = await import("../../../deploy/www/app/parts/away.js");

const at = (minute) => new Date(Date.parse("2026-06-10T12:00:00Z") + minute * 60_000).toISOString();
const one = (type, made, { by = "Rosa", start = made, ...fields } = {}) => ({
  type, time: Date.parse(at(start)), event: { created_at: at(made), created_by: { user_id: by.toLowerCase(), name: by }, ...fields },
});
const said = (events, since = 0, until = 100) =>
  whileAway(events, "me", { since: Date.parse(at(since)), until: Date.parse(at(until)) })
    .map(personText).map((text) => text.replaceAll("\u00a0", " "));

test("bottles with their milk, naps with their length, the rest counted", () => {
  assert.deepEqual(said([
    one("diaper", 10, { type: "wet" }), one("diaper", 20, { type: "dirty" }), one("diaper", 30, { type: "wet" }),
    one("feeding", 12, { type: "bottle", amount_ml: 120 }), one("feeding", 50, { type: "bottle", amount_ml: 120 }),
    one("sleep", 80, { type: "nap", start: 5, ended_at: at(75) }),
  ]), ["Rosa: 2 bottles (240 ml), 1 nap of 1 h 10 min, 3 diapers"]);
});

test("a sleep that goes on has no length, two have theirs together", () => {
  assert.deepEqual(said([one("sleep", 10, { type: "nap" })]), ["Rosa: 1 nap"]);
  assert.deepEqual(said([one("sleep", 30, { type: "nap", start: 0, ended_at: at(20) }), one("sleep", 60, { type: "nap", start: 40, ended_at: at(60) })]), ["Rosa: 2 naps (40 min)"]);
});

test("nothing of one's own, of before, or of what was seen coming in", () => {
  assert.deepEqual(said([one("diaper", 10, { by: "Me" }), one("diaper", -1), one("diaper", 0), one("diaper", 101)]), []);
});

test("whoever logged most comes first; who has no account any more is someone", () => {
  assert.deepEqual(said([one("note", 1, { by: "Tom" }), one("diaper", 2), one("medication", 3), one("bath", 4)]), ["Rosa: 1 diaper, 1 medicine, 1 other entry", "Tom: 1 note"]);
  assert.deepEqual(said([{ ...one("note", 1), event: { created_at: at(1), created_by: null } }]), ["Someone: 1 note"]);
});

test("when somebody looked last never goes back: another tab may know less", async (t) => {
  const { device } = await import("./device.js");
  const { keepLooked, lookedAt } = await import("../../../deploy/www/app/store/looked.js");
  const store = await device(t);
  assert.equal(await lookedAt(store, "ada"), undefined);
  for (const at of [1_000, 3_000, 2_000]) await keepLooked(store, "ada", at);
  assert.deepEqual([await lookedAt(store, "ada"), await lookedAt(store, "ben")], [3_000, undefined]);
});
