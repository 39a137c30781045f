// Numbers as people write them.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { readings, readNumber } from "../../../deploy/www/app/model/numbers.js";

const cases = JSON.parse(readFileSync(new URL("../../Fixtures/numbers/cases.json", import.meta.url), "utf8"));

test("both signs, any digits; what can be read two ways is two", () => {
  for (const [text, expected] of cases.readings) assert.deepEqual(readings(text), expected, JSON.stringify(text));
});

test("of two readings those within the bounds are likely", () => {
  for (const [text, least, most, expected] of cases.within) assert.deepEqual(readNumber(text, least, most), expected, text);
});

test("what each language writes is read as it was meant, but for what two of them read otherwise", () => {
  for (const language of ["en", "de", "fr", "pt-BR", "de-CH", "pl", "es", "it", "nl", "ar-EG", "fa", "hi", "bn"]) {
    for (const number of [3.5, 112.5, 0.2, 37.25, 1125.5, 8, 950]) {
      const text = new Intl.NumberFormat(language).format(number);
      assert.deepEqual(readings(text), [number], `${language} ${text}`);
    }
    assert.ok(readings(new Intl.NumberFormat(language).format(1250)).includes(1250), language);
  }
});
