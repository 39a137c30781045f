// The plural forms that the server's own rules are tested with are those of Intl, which browsers have.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const cases = JSON.parse(readFileSync(new URL("../../Fixtures/plurals.json", import.meta.url), "utf8"));

for (const [language, forms] of Object.entries(cases)) {
  test(`from 0 to 200 in ${language}`, () => {
    const plurals = new Intl.PluralRules(language);
    assert.deepEqual(forms.split(" "), [...Array(201).keys()].map((count) => plurals.select(count)));
  });
}
