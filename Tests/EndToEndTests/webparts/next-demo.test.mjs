// What may come next, against what came: each feed and each waking of 60 days of the demo's families.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { nextFeed, nextSleep } from "../../../deploy/www/app/model/next.js";
import { joinFeeds } from "../../../deploy/www/app/model/trends.js";

const MINUTE = 60_000;
const BEFORE = 8 * 1440 * MINUTE; // what is looked at
const families = JSON.parse(readFileSync(new URL("../../Fixtures/next/demo.json", import.meta.url), "utf8"));
const types = { a: "breast", b: "bottle", s: "solid" };
const iso = (minute) => new Date(minute * MINUTE).toISOString();

/** One family's, oldest first. */
const eventsOf = ({ feeds, sleeps }) => [
  ...feeds.map(([start, length, type]) => ["feeding", start, length, types[type]]),
  ...sleeps.map(([start, length]) => ["sleep", start, length, "nap"]),
].map(([type, start, length, of]) =>
  ({ type, at: iso(start), event: { type: of, started_at: iso(start), ended_at: iso(start + length) } }));

/** Gaps as they were: since when, and how long. */
function gapsOf(events, ask) {
  if (ask === nextFeed) {
    const starts = joinFeeds(events).map(({ start }) => start);
    return starts.slice(1).map((start, place) => ({ since: starts[place], gap: start - starts[place] }));
  }
  const sleeps = events.filter(({ type }) => type === "sleep")
    .map(({ at, event }) => ({ start: Date.parse(at), end: Date.parse(event.ended_at) }));
  return sleeps.slice(1).map(({ start }, place) => ({ since: sleeps[place].end, gap: start - sleeps[place].end }))
    .filter(({ gap }) => gap >= 10 * MINUTE);
}

function check(events, ask, sums) {
  const gaps = gapsOf(events, ask);
  const times = new Map(events.map((one) => [one, Date.parse(one.at)]));
  gaps.forEach(({ since, gap }, place) => {
    if (place === 0 || since - times.get(events[0]) < BEFORE) return;
    sums.asked += 1;
    const known = events.filter((one) => times.get(one) <= since && times.get(one) > since - BEFORE);
    const found = ask(known, since + 1);
    if (!found) return;
    sums.said += 1;
    sums.inside += found.from <= since + gap && since + gap <= found.to ? 1 : 0;
    sums.width += found.to - found.from;
    sums.error += Math.abs(found.gap - gap);
    sums.simple += Math.abs(gaps[place - 1].gap - gap); // the same gap as last time
  });
}

for (const [name, ask] of [["feed", nextFeed], ["sleep", nextSleep]]) {
  test(`the next ${name} comes between when it was said to in seven of ten cases, nearer than by the last gap`, () => {
    const sums = { asked: 0, said: 0, inside: 0, width: 0, error: 0, simple: 0 };
    for (const family of families) check(eventsOf(family).sort((a, b) => (a.at < b.at ? -1 : 1)), ask, sums);
    const minutes = (sum) => Math.round(sum / sums.said / MINUTE);
    const percent = (part, of) => Math.round((100 * part) / of);
    console.log(`${name}: said of ${sums.said} of ${sums.asked} (${percent(sums.said, sums.asked)} %), within the said ` +
      `${minutes(sums.width)} min: ${percent(sums.inside, sums.said)} %; mean error ${minutes(sums.error)} min, ` +
      `by "as long as last time" ${minutes(sums.simple)} min`);
    assert.ok(sums.said >= sums.asked / 2, "said of most");
    assert.ok(sums.inside >= 0.7 * sums.said, "within what was said");
    assert.ok(sums.error < sums.simple, "nearer than by the last gap");
  });
}
