// A month of days and a search, by the cases that the kit has as well.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { monthOf, monthsOn } from "../../../deploy/www/app/model/month.js";
import { has, textOf } from "../../../deploy/www/app/model/search.js";

const cases = (name) => JSON.parse(readFileSync(new URL(`../../Fixtures/${name}/cases.json`, import.meta.url), "utf8"));

for (const { name, month, events, dates, expected, ...person } of cases("month")) {
  test(name, () => {
    const days = monthOf(events, month, person);
    assert.equal(days.length, dates);
    assert.deepEqual(Object.fromEntries(days.filter(({ kinds }) => kinds.length).map(({ date, kinds }) => [date, kinds])), expected);
  });
}

test("months before and after, over the year's end", () => {
  assert.deepEqual([monthsOn("2026-01", -1), monthsOn("2026-12", 1), monthsOn("2026-03", -14)], ["2025-12", "2027-01", "2025-01"]);
});

test("what was written is found, whatever its accents and capitals", () => {
  for (const { type, event, query, found } of cases("search")) assert.equal(has(textOf(type, event), query), found, `${query} in ${JSON.stringify(event)}`);
});
