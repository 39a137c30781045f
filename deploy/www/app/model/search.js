// Finds what people wrote: remarks, notes, food, names of medicines and activities.

import { kinds } from "../types/kinds.js";

/**
 * Without accents and capitals: creme finds Crème.
 * @param {string} text
 */
export const fold = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** @type {Map<string, string[]>} */
const written = new Map(Object.entries(kinds).map(([kind, { fields }]) =>
  [kind, Object.keys(fields).filter((name) => fields[name].form === "text" || fields[name].form === "line")]));

/**
 * What somebody wrote in an event, ready to be searched; "" where nobody did.
 * @param {string} type @param {Record<string, any>} event
 */
export const textOf = (type, event) =>
  fold((written.get(type) ?? []).map((name) => event[name]).filter((text) => typeof text === "string").join("\n"));

/**
 * Whether a text has all words of a query, each as a part of any of its own.
 * @param {string} text folded @param {string} query as it was typed
 */
export const has = (text, query) => fold(query).split(/\s+/).every((word) => text.includes(word));
