// What may come next.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { nextFeed, nextSleep } from "../../../deploy/www/app/model/next.js";

const cases = JSON.parse(readFileSync(new URL("../../Fixtures/next/cases.json", import.meta.url), "utf8"));
const iso = (moment) => new Date(moment).toISOString();
const said = (found) =>
  found && { gap_minutes: found.gap / 60_000, at: iso(found.at), from: iso(found.from), to: iso(found.to) };

for (const { name, now, events, expected } of cases) {
  test(name, () => {
    const [feed, sleep] = [nextFeed, nextSleep].map((ask) => ask([...events].reverse(), Date.parse(now)));
    assert.deepEqual({ feed: said(feed), sleep: sleep && { since: iso(sleep.since), ...said(sleep) } }, expected);
  });
}
