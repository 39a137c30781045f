// The last dose of each medicine.

import assert from "node:assert/strict";
import { test } from "node:test";
import { lastDoses } from "../../../deploy/www/app/model/doses.js";

const NOW = Date.parse("2026-06-10T12:00:00Z");
const dose = (hours, name, amount) => ({ time: NOW - hours * 3_600_000, event: { name, dose: amount } });
const shown = (...given) => lastDoses(given, NOW).map(({ event, time }) => [event.name, (NOW - time) / 3_600_000]);

test("each name has its last dose, however often another was given since", () => {
  assert.deepEqual(shown(dose(1, "Vitamin D"), dose(5, "Paracetamol"), dose(11, "Paracetamol"), dose(25, "Vitamin D")), [["Vitamin D", 1], ["Paracetamol", 5]]);
});

test("a name is the same in whatever letters it was typed", () => {
  assert.deepEqual(shown(dose(1, "paracetamol "), dose(2, "Paracetamol"), dose(3, "Vitamin  D"), dose(4, "vitamin d")), [["paracetamol ", 1], ["Vitamin  D", 3]]);
  assert.equal(shown(dose(1, "Bébé"), dose(2, "Be\u0301be\u0301")).length, 1);
});

test("what was given more than 48 hours ago is not shown", () => {
  assert.deepEqual(shown(dose(48, "Ibuprofen"), dose(48.1, "Vitamin D")), [["Ibuprofen", 48]]);
});
