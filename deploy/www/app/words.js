// What the app says, by the catalog of one language: words/TAG.json.

import { h } from "./vendor/preact.js";
import { isFromRight, language, setLanguage, wantedLanguage } from "./store/language.js";
import { numberIn } from "./store/locale.js";

/** @typedef {keyof typeof import("./words/en.json")["app"]} Id */
/** @typedef {string | Partial<Record<Intl.LDMLPluralRule, string>>} Message */
/** @typedef {Record<string, any>} Values people's own text and what is written by format.js; `count` chooses the plural */

/** @type {Record<string, Message>} */
let messages = {};
/** @type {Intl.PluralRules} */
let plurals;

/** @param {string} tag @param {Record<string, Message>} catalog its section `app` */
export function useCatalog(tag, catalog) {
  messages = catalog;
  plurals = new Intl.PluralRules(tag);
  setLanguage(tag);
}

/** @param {string} tag */
export const addressOf = (tag) => new URL(`./words/${tag}.json`, import.meta.url).href;

/** @type {Map<string, Promise<any>>} */
const fetching = new Map();

/**
 * A language's catalog. Asked for twice it is fetched once.
 * @param {string} tag
 */
export async function fetchWords(tag) {
  if (!fetching.has(tag)) fetching.set(tag, fetch(addressOf(tag)).then((answer) => answer.json()));
  try {
    return await fetching.get(tag);
  } catch (error) {
    fetching.delete(tag);
    throw error;
  }
}

export async function loadWords(tag = wantedLanguage()) {
  useCatalog(tag, (await fetchWords(tag)).app);
}

const PLACE = /\{(\w+)\}/;
const LEFT_LETTER = /(?![\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc])\p{L}/u;
const RIGHT_LETTER = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/**
 * Somebody else's text in a sentence: one of the other direction keeps its own within U+2068 and U+2069.
 * @param {string} text
 */
function isolated(text) {
  const stranger = isFromRight(language()) ? LEFT_LETTER : RIGHT_LETTER;
  return stranger.test(text) ? `\u2068${text}\u2069` : text;
}

/** @param {any} value */
const written = (value) => (typeof value === "number" ? numberIn(value, 3, true) : isolated(String(value)));

/**
 * The message's pieces: what is between its places, and their names.
 * @param {string} id @param {Values} values
 */
function piecesOf(id, values) {
  const message = messages[id];
  if (message === undefined) {
    console.error(`No words for ${id} in ${language()}`);
    return [id];
  }
  const text = typeof message === "string" ? message : (message[plurals.select(values.count)] ?? message.other ?? "");
  return text.split(PLACE);
}

/**
 * What the catalog says by this name, with the values in their places. Only while something is drawn or done: modules
 * are read before the catalog is there.
 * @param {Id} id @param {Values} [values]
 */
export const say = (id, values = {}) =>
  piecesOf(id, values).map((piece, at) => (at % 2 ? written(values[piece]) : piece)).join("");

/**
 * The same for html`…`, where a value may be an element.
 * @param {Id} id @param {Values} values @returns {any[]}
 */
export const sayNodes = (id, values) =>
  piecesOf(id, values).map((piece, at) => {
    const value = values[piece];
    if (at % 2 === 0) return piece;
    return typeof value === "string" ? h("bdi", null, value) : typeof value === "number" ? written(value) : value;
  }).filter((piece) => piece !== "");

/** @param {string} id @returns {id is Id} */
export const isId = (id) => Object.hasOwn(messages, id);

/**
 * What the catalog has for a word of the API; a newer server may have more of them than this version.
 * @param {string} group @param {string | null | undefined} name @param {Values} [values] @returns {string | undefined}
 */
export function sayIf(group, name, values) {
  const id = `${group}.${name}`;
  return isId(id) ? say(id, values) : undefined;
}

/**
 * "one, two and three": British where English, without a comma before "and".
 * @param {string[]} all
 */
export const listed = (all) => new Intl.ListFormat(language() === "en" ? "en-GB" : language()).format(all.map(isolated));

/**
 * "one, two, three": what stands side by side.
 * @param {string[]} all
 */
export const inRow = (all) => all.map(isolated).join(say("common.separator"));
