// What Today shows on this device.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

const kept = new Map();
globalThis.localStorage = { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => kept.set(key, value), removeItem: (key) => kept.delete(key) };
globalThis.document = { documentElement: { dataset: {} } };
const { cards, everyCard, kindOf, moveCard, showCard, shownKinds } = await import("../../../deploy/www/app/store/cards.js");
const { kinds } = await import("../../../deploy/www/app/types/kinds.js");
beforeEach(() => kept.clear());

test("at first everything is shown, and every kind has a card", () => {
  assert.deepEqual(cards(), { all: everyCard, shown: everyCard });
  assert.deepEqual(new Set(everyCard.map(kindOf)), new Set(Object.keys(kinds)));
});

test("what is hidden keeps its place, and comes back to it", () => {
  showCard("breast", false);
  assert.deepEqual(cards().all, everyCard);
  assert.deepEqual(cards().shown.slice(0, 3), ["bottle", "sleep", "diaper"]);
  showCard("breast", true);
  assert.deepEqual(cards().shown, everyCard);
});

test("a card moves by one, and not beyond the ends", () => {
  moveCard("sleep", -1);
  moveCard("bottle", -1);
  moveCard("discard", 1);
  assert.deepEqual(cards().all.slice(0, 4), ["bottle", "sleep", "breast", "diaper"]);
  assert.equal(cards().all.at(-1), "discard");
  assert.equal(cards().all.length, everyCard.length);
});

test("a kind is shown while one of its cards is, where the first of them stands", () => {
  for (const card of ["bottle", "breast"]) showCard(card, false);
  assert.deepEqual(shownKinds().slice(0, 3), ["sleep", "diaper", "feeding"]);
  showCard("solid", false);
  assert.ok(!shownKinds().includes("feeding"));
});

test("what an older or a newer version kept does no harm", () => {
  kept.set("device", JSON.stringify({ cards: { order: ["yodel", "note"], hidden: ["yodel"] } }));
  assert.equal(cards().all[0], "note");
  assert.equal(cards().all.length, everyCard.length);
});
