// What the app says of refusals, values and days.

import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.navigator ??= { language: "en-US" }; // an older node has none
const { explain, texts, valueText } = await import("../../../deploy/www/app/text.js");
const { dayText, setZone } = await import("../../../deploy/www/app/parts/format.js");
setZone("America/New_York");
const plain = (text) => text.replaceAll(/\s/g, " ");

test("a refusal ends with one full stop", () => {
  const refusal = (status, message, details = []) => ({ status, code: "", message, details });
  for (const message of ["Make someone else a parent first", "Make someone else a parent first."]) {
    assert.equal(explain(refusal(409, message)), "Make someone else a parent first.");
    assert.equal(texts.inviteRefused(refusal(409, message)), "Make someone else a parent first.");
  }
  assert.equal(explain(refusal(400, "Invalid", [{ field: "dose", message: "is too long." }])), "Dose is too long.");
});

test("a time moved to another day has its day", () => {
  const [monday, tuesday] = ["2026-06-01T13:00:00Z", "2026-06-02T13:00:00Z"];
  assert.equal(plain(valueText("started_at", monday, tuesday)), "Mon, Jun 1, 9:00 AM");
  assert.equal(plain(valueText("started_at", tuesday, monday)), "Tue, Jun 2, 9:00 AM");
  assert.equal(plain(valueText("started_at", monday, "2026-06-01T14:00:00Z")), "9:00 AM");
  assert.equal(plain(valueText("started_at", monday)), "9:00 AM");
});

test("the end of an access is a date", () => assert.equal(valueText("access_until", "2026-06-02T03:59:00Z"), "Jun 1, 2026"));

test("yesterday is the date before, however long the night was", () => {
  assert.equal(dayText("2026-11-01", "2026-11-01"), "Today");
  assert.equal(dayText("2026-10-31", "2026-11-01"), "Yesterday");
  assert.equal(dayText("2026-10-30", "2026-11-01"), "Friday, October 30");
  assert.equal(dayText("2025-12-31", "2026-01-02"), "Wednesday, December 31, 2025");
});
