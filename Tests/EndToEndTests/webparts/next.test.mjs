// What may come next.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { nextFeed, nextSleep } from "../../../deploy/www/app/model/next.js";

const cases = JSON.parse(readFileSync(new URL("../../Fixtures/next/cases.json", import.meta.url), "utf8"));
const iso = (moment) => new Date(moment).toISOString();

for (const { name, now, events, expected } of cases) {
  test(name, () => {
    const [feed, sleep] = [nextFeed, nextSleep].map((ask) => ask([...events].reverse(), Date.parse(now)));
    assert.deepEqual({
      feed: feed && { gap_minutes: feed.gap / 60_000, at: iso(feed.at) },
      sleep: sleep && { since: iso(sleep.since), gap_minutes: sleep.gap / 60_000, at: iso(sleep.at) },
    }, expected);
  });
}
