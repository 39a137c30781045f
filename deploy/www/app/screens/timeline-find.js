// Finds entries of the timeline: by what was written in them, or by their day.

import { has, textOf } from "../model/search.js";
import { useQuery } from "../parts/hooks.js";
import { Field } from "../parts/ui.js";
import { html, useEffect, useMemo } from "../vendor/preact.js";
import { say } from "../words.js";

/**
 * Entries with all words of a query, newest first; null where nothing is asked. What was written is read once for each
 * change of the store, not for each letter, and from when the search is opened: it is there when somebody has typed.
 * @param {import("../store/store.js").Store} store @param {string | undefined} child
 * @param {{isOpen: boolean, query: string, filter: string}} asked
 * @returns {import("../store/types").Kept[] | null | undefined} undefined: not known yet
 */
export function useSearch(store, child, { isOpen, query, filter }) {
  const isAsked = isOpen && query.trim() !== "";
  const texts = useQuery(async () => {
    if (!child || !isOpen) return null;
    const events = await store.events(child);
    const all = events.map(({ type, at, event }) => ({ type, at, event, text: textOf(type, event) }));
    return { child, all: all.filter(({ text }) => text) };
  }, [child, isOpen]);
  return useMemo(() => {
    if (!isAsked || !child) return null;
    if (texts?.child !== child) return undefined;
    const found = texts.all.filter(({ type, text }) => (!filter || type === filter) && has(text, query.trim()));
    return found.map(({ type, at, event }) => ({
      id: event.id, family_id: "", child_id: child, type, time: Date.parse(at), event: /** @type {any} */ (event),
    }));
  }, [texts, isAsked, query, filter, child]);
}

/**
 * @param {{query: string, onQuery: (query: string) => void, date: string, today: string,
 *   onDate: (date: string) => void}} props
 */
export function Find({ query, onQuery, date, today, onDate }) {
  useEffect(() => /** @type {HTMLElement | null} */ (document.querySelector(".find input"))?.focus(), []);
  return html`
    <search class="find">
      <${Field} label=${say("timeline.search")} type="search" value=${query} autocomplete="off"
        enterkeyhint="search" onInput=${(/** @type {any} */ event) => onQuery(event.target.value)} />
      <${Field} label=${say("timeline.jump")} type="date" max=${today} value=${date}
        onChange=${(/** @type {any} */ event) => onDate(event.target.value)} />
      <div class="actions"><a class="button" href="#/month">${say("timeline.month")}</a></div>
    </search>`;
}
