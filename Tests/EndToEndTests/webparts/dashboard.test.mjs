// The web app's dashboard against the cases that the server and the kit answer too.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { dashboard, neededSince, neededUntil } from "../../../deploy/www/app/model/dashboard.js";

const folder = new URL("../../Fixtures/dashboard/", import.meta.url);
const cases = readdirSync(folder).filter((name) => name.endsWith(".json"))
  .flatMap((name) => JSON.parse(readFileSync(new URL(name, folder), "utf8")));

const askedBy = (example) => ({
  now: example.now, timezone: example.timezone, dayStart: example.day_start_time, date: example.date,
});

/** The answer with ids in place of events, `last` of the kinds that the case is about. */
function compared(answer, example) {
  const ids = (events, kinds) => Object.fromEntries(kinds.map((kind) => [kind, events[kind]?.id ?? null]));
  return {
    ...answer, last: ids(answer.last, Object.keys(example.expected.last)),
      ongoing: ids(answer.ongoing, ["feeding", "sleep"]),
  };
}

test("there are cases", () => assert.ok(cases.length >= 80));

for (const example of cases) {
  const deleted = new Set(example.deleted ?? []);
  test(example.name, () => {
    const there = example.events.filter(({ event }) => !deleted.has(event.id));
    assert.deepEqual(compared(dashboard(there, askedBy(example)), example), example.expected);
  });
  if (deleted.size) {
    test(`${example.name}, marked in the store`, () => {
      const marked = example.events.map((item) => deleted.has(item.event.id)
        ? { ...item, event: { ...item.event, deleted_at: example.now } } : item);
      assert.deepEqual(compared(dashboard(marked, askedBy(example)), example), example.expected);
    });
  }
}

test("sums need nothing from before `neededSince`, nor from `neededUntil` on", () => {
  for (const example of cases) {
    const [since, until] = [neededSince, neededUntil].map((moment) => new Date(moment(askedBy(example))).toISOString());
    const { totals, week } = dashboard(example.events.filter(({ at }) => at >= since && at < until), askedBy(example));
    const whole = dashboard(example.events, askedBy(example));
    assert.deepEqual({ totals, week }, { totals: whole.totals, week: whole.week });
  }
});

test("years of events cost little more than their week", () => {
  const now = Date.parse("2026-06-10T12:00:00Z");
  const many = (count) => Array.from({ length: count }, (_, place) => {
    const at = new Date(now - place * 1_800_000).toISOString();
    const feeding = place % 2 === 0;
    return { type: feeding ? "feeding" : "sleep", at, event: feeding
      ? { id: `f${place}`, type: "bottle", started_at: at, amount_ml: 90 }
      : { id: `s${place}`, started_at: at, ended_at: new Date(now - place * 1_800_000 + 600_000).toISOString() } };
  });
  const time = (events) => {
    const asked = { now, timezone: "Europe/Berlin", dayStart: "07:00" };
    for (let round = 0; round < 5; round += 1) dashboard(events, asked);
    const begun = performance.now();
    for (let round = 0; round < 10; round += 1) dashboard(events, asked);
    return (performance.now() - begun) / 10;
  };
  const week = time(many(400));
  const years = time(many(20_000));
  console.log(`dashboard: ${week.toFixed(2)} ms of a week, ${years.toFixed(2)} ms of 20,000 events`);
  assert.ok(years < 50, `${years} ms`);
});
