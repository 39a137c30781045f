// The catalog, and how the app speaks by it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { english } from "./english.mjs";
import { keysIn, literals, modules, saidBy } from "./source.mjs";
import { lookUp } from "../../../deploy/www/app/store/language.js";
import { isId, listed, say, sayIf, sayNodes, useCatalog } from "../../../deploy/www/app/words.js";

/** Speaks another language for one test. */
function speak(context, tag, catalog) {
  useCatalog(tag, catalog);
  context.after(() => useCatalog("en", english));
}

test("the form of a plural is the language's", (context) => {
  const forms = { one: "{count} kupka", few: "{count} kupki", many: "{count} kupek", other: "{count} kupki" };
  speak(context, "pl", { diapers: forms });
  assert.deepEqual([1, 2, 5, 12, 22, 25].map((count) => say("diapers", { count })),
    ["1 kupka", "2 kupki", "5 kupek", "12 kupek", "22 kupki", "25 kupek"]);
  speak(context, "ar", { diapers: { zero: "0", one: "1", two: "2", few: "3–10", many: "11–99", other: "100" } });
  assert.deepEqual([0, 1, 2, 7, 11, 100].map((count) => say("diapers", { count })), ["0", "1", "2", "3–10", "11–99", "100"]);
  speak(context, "fr", { diapers: { one: "{count} couche", other: "{count} couches" } });
  assert.deepEqual([0, 1, 2].map((count) => say("diapers", { count })), ["0 couche", "1 couche", "2 couches"]);
});

test("a form that a catalog lacks is the other one", (context) => {
  speak(context, "pl", { diapers: { one: "jedna", other: "inne" } });
  assert.equal(say("diapers", { count: 5 }), "inne");
});

test("a name of the other direction is kept together; any other has no invisible letters", (context) => {
  const hello = { hello: "Hello, {name}!" };
  speak(context, "en", hello);
  assert.equal(say("hello", { name: "Rosa" }), "Hello, Rosa!");
  assert.equal(say("hello", { name: "Žofia Čápová" }), "Hello, Žofia Čápová!");
  assert.equal(say("hello", { name: "דנה" }), "Hello, \u2068דנה\u2069!");
  assert.equal(say("hello", { name: "ليلى" }), "Hello, \u2068ليلى\u2069!");
  speak(context, "he", hello);
  assert.equal(say("hello", { name: "דנה" }), "Hello, דנה!");
  assert.equal(say("hello", { name: "Rosa" }), "Hello, \u2068Rosa\u2069!");
  assert.equal(say("hello", { name: "12:30" }), "Hello, 12:30!");
});

test("a value is text, whatever is in it", (context) => {
  speak(context, "en", { two: "{one} and {other}" });
  assert.equal(say("two", { one: "{other}", other: "$1" }), "{other} and $1");
});

test("in nodes names are elements of their own, and elements go in as they are", (context) => {
  speak(context, "en", { by: "Logged by {name}, {when}: {count} times" });
  const when = { type: "time" };
  const [before, name, comma, ...rest] = sayNodes("by", { name: "Rosa", when, count: 3 });
  assert.deepEqual([before, name.type ?? name[0], comma], ["Logged by ", "bdi", ", "]);
  assert.deepEqual(rest, [when, ": ", "3", " times"]);
});

test("a list ends as the language ends it", (context) => {
  assert.equal(listed(["8:00", "14:00", "20:00"]), "8:00, 14:00 and 20:00");
  assert.equal(listed(["8:00"]), "8:00");
  assert.equal(listed([]), "");
  speak(context, "de", {});
  assert.equal(listed(["8:00", "14:00", "20:00"]), "8:00, 14:00 und 20:00");
});

test("which language: the first wanted one that is there, each shortened until it is (RFC 4647)", () => {
  const there = ["en", "de", "pt-BR", "he"];
  for (const [wanted, found] of [
    [["de-AT", "en"], "de"], [["de-Latn-AT-x-private"], "de"], [["DE-de"], "de"], [["pt-br"], "pt-BR"], [["pt-PT", "de"], "pt-BR"],
    [["pt"], "pt-BR"], [["fr", "de"], "de"], [["iw-IL"], "he"], [[null, undefined, "", "not a language", "de"], "de"], [[], "en"],
    [["x-private", "de"], "de"],
  ]) assert.equal(lookUp(wanted, there), found, String(wanted));
});

test("what the catalog has no words for is said by its id, and complained of", (context) => {
  const complained = context.mock.method(console, "error", () => {});
  assert.equal(say("nobody.says_this"), "nobody.says_this");
  assert.equal(complained.mock.callCount(), 1);
  assert.equal(sayIf("kind", "bath"), undefined);
  assert.equal(sayIf("kind", "feeding"), "Feed");
});

const PLACE = /\{(\w+)\}/g;
const places = (text) => [...text.matchAll(PLACE)].map(([, name]) => name);

test("English is whole: sorted keys, each plural with its two forms, no brace that is no place", () => {
  const keys = Object.keys(english);
  assert.deepEqual(keys, [...keys].sort());
  for (const [key, message] of Object.entries(english)) {
    assert.match(key, /^[a-z][a-z0-9_]*(\.[a-z0-9_]+)+$/);
    if (typeof message === "object") assert.deepEqual(Object.keys(message), ["one", "other"], key);
    for (const text of typeof message === "string" ? [message] : Object.values(message)) {
      assert.ok(text.trim() && !/[{}]/.test(text.replace(PLACE, "")), key);
    }
  }
});

const used = modules.map(({ text }) => keysIn(text));

test("every key is said somewhere, and what is said has a key", () => {
  const ids = new Set(used.flatMap((one) => one.ids));
  const starts = used.flatMap((one) => one.starts);
  const ends = used.flatMap((one) => one.ends);
  const begun = [...ids].filter((id) => !isId(id)).map((id) => `${id}_`); // `${isSooner ? "near.sooner" : "near.later"}_${whose}`
  const isUsed = (key) => ids.has(key) || [...starts, ...begun].some((start) => key.startsWith(start)) ||
    ends.some((end) => key.endsWith(end) && ids.has(key.slice(0, -end.length)));
  assert.deepEqual(Object.keys(english).filter((key) => !isUsed(key)), [], "nobody says these");
  const groups = new Set(Object.keys(english).map((key) => key.split(".")[0]));
  const isKey = (id) => isId(id) || Object.keys(english).some((key) => [".", "_"].some((mark) => key.startsWith(id + mark)));
  assert.deepEqual([...ids].filter((id) => groups.has(id.split(".")[0]) && !isKey(id)), [], "these have no words");
  for (const start of starts) assert.ok(Object.keys(english).some((key) => key.startsWith(start)), start);
});

/** The object that a call is given after an id. */
function valuesAfter(text) {
  if (!/^, \{/.test(text)) return /^, \w+\)/.test(text) ? null : "";
  let depth = 0;
  return text.slice(0, [...text].findIndex((one) => (depth += one === "{" ? 1 : one === "}" ? -1 : 0) === 0 && one === "}") + 1);
}

test("a message gets the values that it has places for", () => {
  const wrong = [];
  for (const { path, text } of modules) {
    for (const { 1: id, index, 0: call } of text.matchAll(/\bsay(?:Nodes)?\("([\w.]+)"/g)) {
      const values = valuesAfter(text.slice(index + call.length));
      if (values === null) continue; // a variable
      const message = english[id];
      const wanted = places(typeof message === "string" ? message : Object.values(message ?? {}).join());
      for (const name of new Set(typeof message === "object" ? [...wanted, "count"] : wanted)) {
        if (!new RegExp(`[{,]\\s*${name}\\b`).test(values)) wrong.push(`${path}: ${id} {${name}}`);
      }
    }
  }
  assert.deepEqual(wrong, []);
});

// Parts of the ids of imported rows, which stay what they are in every language.
const TITLES = [
  "Feedings", "Diaper changes", "Notes", "Temperatures", "Medicines", "Tummy times", "Pumpings", "Weights", "Heights", "Head circumferences",
  "Sleeps", "Bottles", "Huckleberry", "Sprout Track", "An export of Baby Basics",
];

/** What looks like words and is none, or is the same in all languages. */
const NAMES = {
  "screens/devices.js": ["Android", "Mac", "Windows", "Linux", "Edge", "Firefox", "Chrome", "Safari"],
  "screens/export.js": ["Excel"],
  "parts/problems.js": ["This "], // before what the server says, which is English
  "screens/timeline-find.js": [".find input"],
  "store/keep.js": ["(display-mode: standalone)"],
  "sync/api.js": ["Date"],
  "sync/push.js": ["Notification"],
  // Other apps' own words, and remarks made of them.
  "transfer/baby-buddy.js": [
    ...TITLES, "breast milk", "fortified breast milk", "left breast", "right breast", "both breasts", "solid food", "parent fed", "self fed",
    "Tummy time",
  ],
  "transfer/guess.js": TITLES,
  "transfer/huckleberry.js": [
    ...TITLES, "breast milk", "formula + breast milk", "breast milk + formula", "Potty", "Reaction", "At the start", "Where", "At the end",
    "Amount", "Consistency",
  ],
  "transfer/own.js": TITLES,
  "transfer/preview.js": TITLES,
  "transfer/sprout-track.js": [
    ...TITLES, "milk adjust", "night sleep", "breast milk", "Breast Milk", "Milk", "Breast milk in it: ", "Bath", "Play", "head circumference",
    "Amount", "Consistency",
  ],
  "transfer/values.js": ["fl oz"],
  "worker.js": ["Baby Basics"],
};

for (const { path, text } of modules) {
  test(`${path} says nothing by itself`, () => {
    const names = NAMES[path] ?? [];
    assert.deepEqual(saidBy(text).filter((said) => !names.includes(said)), [], "words belong into words/en.json");
  });
}

test("words in the source are found where they are", () => {
  const said = (source) => saidBy(source);
  assert.deepEqual(said('html`<p class="soft small">Hello there</p>`'), ["Hello there"]);
  assert.deepEqual(said('html`<p>${name} is asleep</p>`'), ["is asleep"]);
  assert.deepEqual(said('html`<${Head} title="Timeline" back="family" />`'), ["Timeline"]);
  assert.deepEqual(said('html`<button aria-label=${isOn ? "Turn off" : "On"} class=${`log ${type}`}>x</button>`'), ["Turn off", "On"]);
  assert.deepEqual(said('html`<ul>${all.map((one) => html`<li>Nothing yet</li>`)}</ul>`'), ["Nothing yet"]);
  assert.deepEqual(said('toast("Saved"); throw "Give it a name first."; // Not this'), ["Saved", "Give it a name first."]);
  assert.deepEqual(said("const text = `${count} entries`;"), [" entries"]);
  assert.deepEqual(said('import { a } from "./a b.js"; say("common.save"); const x = a / b / c; /"Quoted words" here/.test(x)'), []);
  assert.deepEqual(literals('a(`x${b("c")}y`)').map(({ text }) => text), ["x\u0001y", "c"]);
});
