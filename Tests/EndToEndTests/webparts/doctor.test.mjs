// What the sheets for the doctor say, by the cases that the kit has as well.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { doctorReport } from "../../../deploy/www/app/model/doctor.js";

const cases = JSON.parse(readFileSync(new URL("../../Fixtures/doctor/cases.json", import.meta.url), "utf8"));

for (const { name, asked, events, expected } of cases) {
  test(name, () => {
    const { dates, edges, days, ...said } = doctorReport(events, { ...asked, now: Date.parse(asked.now) });
    assert.deepEqual(said, expected);
    assert.deepEqual([dates[0], dates.at(-1), days.length, edges.length], [asked.from, asked.to, dates.length, dates.length + 1]);
  });
}
