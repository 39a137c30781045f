// What the app says of refusals, values and days.

import assert from "node:assert/strict";
import { test } from "node:test";
import "./english.mjs";

globalThis.navigator ??= { language: "en-US" }; // an older node has none
const { conflict, explain, kindNames, summary, texts, valueText } = await import("../../../deploy/www/app/parts/text.js");
const { kinds } = await import("../../../deploy/www/app/store/kinds.js");
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

test("what a refusal means is told by its code and reason, in whatever words it comes", () => {
  const running = "Another sleep was already running then. End that one first.";
  const reason = (detail, code = "VALIDATION_ERROR") => texts.reason({ field: "started_at", message: "…", ...detail }, code);
  assert.equal(reason({ reason: "running", message: "Ein Schlaf läuft schon" }, "CONFLICT"), running);
  assert.equal(reason({ message: "Ein Schlaf läuft schon" }, "CONFLICT"), running); // a server from before reasons
  assert.equal(reason({ reason: "in_future", message: "A sleep is running late" }), "Start A sleep is running late.");
  assert.equal(reason({ reason: "taken", message: "is taken" }, "CONFLICT"), "Start is taken.");
  assert.equal(texts.inviteRefused({ status: 409, code: "CONFLICT", message: "Schon dabei", details: [{ field: "token", message: "…", reason: "duplicate" }] }), "You’re already in this family.");
  assert.equal(texts.inviteRefused({ status: 409, code: "CONFLICT", message: "This family already has two parents", details: [] }), "This family already has two parents.");
});

test("a conflict names the person, where the server says who it was", () => {
  const entry = { type: "feeding" };
  const current = { started_at: "2026-06-01T13:00:00Z", amount_ml: 90 };
  const both = { field: "amount_ml", mine: 100, theirs: 90, kept: "theirs" };
  assert.match(conflict(entry, { ...current, updated_by: { user_id: "u", name: "Rosa" } }, both), /you and Rosa both changed the amount\. Yours: 100\sml\. Theirs: 90\sml\./);
  assert.match(conflict(entry, { ...current, updated_by: null }, both), /you and someone else both changed/);
  assert.match(conflict(entry, current, both), /you and someone else both changed/);
});

test("an event in one line: sides with their minutes, milk thrown away, and kinds of a newer server", () => {
  for (const [kind, event, line] of [
    ["feeding", { type: "breast", side: "both", left_minutes: 12, right_minutes: 8, last_side: "left" }, "Breast, both sides, 12 min left, 8 min right, left last"],
    ["feeding", { type: "breast", side: "right" }, "Breast, right"], ["discard", { amount_ml: 60 }, "Thrown away, 60 ml"],
    ["note", { content: "Smiled", for_doctor: true }, "Smiled"], ["bath", { occurred_at: "2026-06-10T12:00:00.000Z" }, "Something newer"],
  ]) assert.equal(plain(summary(kind, event)), line);
  for (const kind of Object.keys(kinds)) assert.ok(kindNames[kind], kind);
});

test("a long wait is told in minutes", () => {
  for (const [seconds, said] of [[0, "a moment"], [1, "a moment"], [37, "37 seconds"], [90, "90 seconds"], [91, "2 minutes"], [2340, "39 minutes"]]) {
    assert.equal(texts.time(seconds), said);
    assert.ok(texts.tooMany(seconds).includes(`wait ${said}, then`) && texts.mailedEnough(seconds).includes(`in ${said}.`));
  }
});

test("whom a server by invitation does not take is told what to do, with an invite and without", () => {
  assert.match(texts.byInvitation(false), /^This server takes new people by invitation\. Ask someone/);
  assert.match(texts.byInvitation(true), /^This server takes new people by invitation\. Your invite may have run out/);
});
