// Times, dates and numbers as the browser's region has them, in the words of the language that is spoken.

import assert from "node:assert/strict";
import { test } from "node:test";
import { english } from "./english.mjs";
import { useCatalog } from "../../../deploy/www/app/words.js";

const browser = { language: "en-US" };
Object.defineProperty(globalThis, "navigator", { value: browser, configurable: true });
const kept = new Map();
globalThis.localStorage = { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => kept.set(key, value), removeItem: (key) => kept.delete(key) };
const { amount, ago, clockText, dateText, dayText, length, momentText, rangeText, setZone, span, temperature, toInput, weight } = await import("../../../deploy/www/app/parts/format.js");
const charts = await import("../../../deploy/www/app/charts/words.js");
setZone("Europe/Berlin");

const plain = (text) => text.replaceAll(/\s/g, " ");
const AT = "2026-11-26T12:07:00Z";
const told = (clock) => kept.set("device", JSON.stringify({ clock }));
const shown = (language) => {
  browser.language = language;
  return [clockText(AT), dateText(AT), amount(112.5)].map(plain);
};

test("the hours and the order of dates are the region's, the words stay English", () => {
  for (const [language, clock, date, milk] of [
    ["en-US", "1:07 PM", "Nov 26, 2026", "112.5 ml"], ["en", "1:07 PM", "Nov 26, 2026", "112.5 ml"],
    ["en-GB", "13:07", "26 Nov 2026", "112.5 ml"], ["de-DE", "13:07", "26 Nov 2026", "112,5 ml"],
    ["de", "13:07", "26 Nov 2026", "112,5 ml"], ["fr-FR", "13:07", "26 Nov 2026", "112,5 ml"],
    ["pl", "13:07", "26 Nov 2026", "112,5 ml"], ["pt-BR", "13:07", "26 Nov 2026", "112,5 ml"],
    ["es-US", "1:07 PM", "Nov 26, 2026", "112.5 ml"], ["not a language", "1:07 PM", "Nov 26, 2026", "112.5 ml"],
  ]) assert.deepEqual(shown(language), [clock, date, milk], language);
});

test("whatever calendar and digits a region has, dates and numbers can be read beside English words", () => {
  for (const language of ["ar-EG", "fa-IR", "th-TH", "ar-SA", "he-IL", "ja-JP", "hi-IN"]) {
    const [clock, date] = shown(language);
    assert.match(clock, /^(13:07|1:07 pm)$/i, language);
    assert.match(date, /^(26 Nov 2026|Nov 26, 2026)$/, language);
    assert.match(plain(dayText("2025-11-26", "2026-11-26")), /26/, language);
    assert.equal(toInput(AT), "2026-11-26T13:07", language);
  }
});

test("dates are in the language that is spoken, wherever the reader is", (context) => {
  context.after(() => useCatalog("en", english));
  for (const [spoken, language, date] of [
    ["de", "en-US", "26. Nov. 2026"], ["de", "de-CH", "26. Nov. 2026"], ["es", "en-US", "26 nov 2026"], ["pl", "de-DE", "26 lis 2026"],
    ["pt-BR", "en-US", "26 de nov. de 2026"], ["he", "en-US", "26 בנוב׳ 2026"], ["ar", "ar-EG", "26 نوفمبر 2026"], ["en", "de-DE", "26 Nov 2026"],
  ]) {
    useCatalog(spoken, english);
    assert.equal(shown(language)[1], date, `${spoken} for ${language}`);
  }
});

test("this device's clock holds against the browser's", () => {
  told("24");
  assert.equal(shown("en-US")[0], "13:07");
  assert.equal(plain(momentText(AT)), "Thu, Nov 26, 13:07");
  assert.equal(charts.hourText(0), "00");
  told("12");
  assert.match(shown("de-DE")[0], /^1:07 pm$/i);
  assert.match(plain(momentText("2026-11-26T23:07:00Z")), /12:07 am$/i);
  told("auto");
  assert.equal(shown("de-DE")[0], "13:07");
});

test("charts write them the same way", () => {
  browser.language = "de-DE";
  assert.deepEqual([charts.timeText(Date.parse(AT), "Europe/Berlin"), charts.hourText(7), charts.numberText(1250.5, 1)], ["13:07", "07", "1.250,5"]);
  assert.match(charts.dateText("2026-11-26", "long"), /^Thu,? 26 Nov$/);
  browser.language = "en-US";
  assert.deepEqual([charts.timeText(Date.parse(AT), "Europe/Berlin"), charts.hourText(7)].map(plain), ["1:07 PM", "7 AM"]);
});

test("no length and no amount breaks over two lines", () => {
  browser.language = "en-US";
  const minutes = 60_000;
  const all = [
    amount(120), weight(6_700), length(60.5), temperature(38.4), span(5 * minutes), span(88 * minutes), span(120 * minutes),
    span(3 * 1_440 * minutes), ago(0, 1_217 * minutes), clockText(AT), charts.durationText(88), charts.durationText(120),
  ];
  kept.set("device", JSON.stringify({ us: ["volume", "weight", "length", "temperature"] }));
  all.push(amount(120), weight(6_700), length(60.5), temperature(38.4));
  for (const text of all) assert.doesNotMatch(text, / /, text);
  assert.equal(plain(ago(0, 1_217 * minutes)), "20 h 17 min ago");
});

test("start and end say what they share once; over midnight both are whole", () => {
  const range = (language, end) => {
    browser.language = language;
    return plain(rangeText(AT, end));
  };
  kept.clear();
  assert.equal(range("en-US", "2026-11-26T12:17:00Z"), "1:07–1:17 PM");
  assert.equal(range("de-DE", "2026-11-26T12:17:00Z"), "13:07–13:17");
  assert.equal(range("en-US", AT), "1:07 PM");
  assert.equal(range("en-US", "2026-11-26T23:17:00Z"), "1:07 PM–12:17 AM");
});
