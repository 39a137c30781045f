// Everything that was logged, newest first, by day.

import { html, useEffect, useRef, useState } from "../vendor/preact.js";
import { say, sayIf } from "../words.js";
import { addDays, beginOf, dateOf } from "../model/days.js";
import { dayText } from "../parts/format.js";
import { go, useQuery, useStore } from "../parts/hooks.js";
import { now } from "../store/clock.js";
import { Icon } from "../parts/icons.js";
import { Notices, Waiting } from "./notices.js";
import { Choice, Head } from "../parts/ui.js";
import { EntrySheet } from "./entry.js";
import { Entry } from "./timeline-entry.js";
import { Find, useSearch } from "./timeline-find.js";

/** @typedef {import("../store/types").Kept} Kept */

const PAGE = 60;
const filters = ["", "feeding", "sleep", "diaper"];
/** Offered where there is something of them. */
const rarer = ["note", "pumping", "medication", "temperature", "measurement", "activity", "discard"];
/** @param {string} type */
const nameOf = (type) => sayIf("timeline.filter", type || "all") ?? type;

/** @param {Kept[]} entries newest first @param {{timezone: string, dayStart: string}} person @returns {[string, Kept[]][]} */
function byDay(entries, person) {
  /** @type {Map<string, Kept[]>} */
  const days = new Map();
  for (const entry of entries) {
    const date = dateOf(entry.time, person);
    days.set(date, [...(days.get(date) ?? []), entry]);
  }
  return [...days];
}

/**
 * Shows more when the end of the list comes into sight.
 * @param {() => void} more
 */
function useEnd(more) {
  const end = useRef();
  const latest = useRef(more);
  latest.current = more;
  useEffect(() => {
    const observer = new IntersectionObserver(([{ isIntersecting }]) => isIntersecting && latest.current(), { rootMargin: "600px" });
    observer.observe(end.current);
    return () => observer.disconnect();
  }, []);
  return end;
}

/**
 * What is shown of it: from which day on, and the entry that is open.
 * @param {string} rest of the address: on/2026-06-09/ID, or ID @returns {{date: string, id: string, place: string}}
 */
function shownBy(rest) {
  const [, date = "", inDay, id = ""] = /^(?:on\/(\d{4}-\d\d-\d\d)(?:\/(.*))?|(.*))$/.exec(rest) ?? [];
  return { date, id: date ? inDay ?? "" : id, place: date ? `timeline/on/${date}` : "timeline" };
}

/** @param {{rest: string}} props */
export function Timeline({ rest }) {
  const store = useStore();
  const { family } = store;
  const { child, waitingIds, rejected } = store.snapshot;
  const person = { timezone: store.account.timezone, dayStart: store.account.day_start_time };
  const today = dateOf(now(), person);
  const [filter, setFilter] = useState("");
  const [count, setCount] = useState(PAGE);
  const { date, id, place } = shownBy(rest);
  const [isFinding, setFinding] = useState(false);
  const [query, setQuery] = useState("");
  const results = useSearch(store, child?.id, { isOpen: isFinding, query, filter });
  const before = date ? beginOf(addDays(date, 1), person) : Infinity;
  const paged = useQuery(
    async () => ({ entries: child ? await store.page(child.id, filter, count + 1, before) : [], count }),
    [child?.id, filter, count, before],
  );
  const found = results === null ? paged : results && { entries: results, count };
  useEffect(() => scrollTo(0, 0), [date]);
  const kept = useQuery(() => (child ? store.latest(child.id, rarer, [], 0) : Promise.resolve(null)), [child?.id]);
  const offered = [...filters, ...rarer.filter((type) => type === filter || kept?.last[type])];
  const hasMore = (found?.entries.length ?? 0) > (found?.count ?? 0);
  const end = useEnd(() => hasMore && found?.count === count && setCount(count + PAGE));
  const nothing = /** @type {const} */ (`timeline.nothing_${filter ? "of_kind" : "logged"}_${date ? "until_then" : "yet"}`);
  const bad = new Set(rejected.map((entry) => entry.id));
  return html`
    <${Head} title=${say("bar.timeline")}><button type="button" class="plain" aria-label=${say("timeline.find")} aria-expanded=${isFinding ? "true" : "false"}
      onClick=${() => setFinding(!isFinding)}><${Icon} name="find" /></button><a class="button small" href="#/deleted"
        aria-label=${say("timeline.deleted_entries")}>${say("timeline.deleted")}</a><//>
    <${Waiting} />
    <${Notices} />
    ${child && family.children.length > 1 &&
    html`<${Choice} label=${say("common.child")} hidden kind="children" value=${child.id} options=${family.children.map((one) => [one.id, one.name])}
      onChange=${(/** @type {string} */ id) => store.choose(family.id, id)} />`}
    <${Choice} label=${say("timeline.show")} hidden kind="children" options=${offered.map((type) => [type, nameOf(type)])} value=${filter} onChange=${(/** @type {string} */ next) => (setFilter(next), setCount(PAGE))} />
    ${isFinding && html`<${Find} query=${query} date=${date} today=${today} onQuery=${(/** @type {string} */ next) => (setQuery(next), setCount(PAGE))}
      onDate=${(/** @type {string} */ next) => go(next ? `timeline/on/${next}` : "timeline")} />`}
    ${date && results === null && html`<p class="soft">${say("timeline.up_to", { day: dayText(date, today) })} <a href="#/timeline">${say("timeline.latest")}</a></p>`}
    <p class="unseen" role="status">${results && say("timeline.count_found", { count: results.length })}</p>
    ${found && !found.entries.length &&
    html`<div class="empty"><${Icon} name="timeline" /><p>${say(results ? "timeline.nothing_found" : nothing)}</p></div>`}
    ${byDay((found?.entries ?? []).slice(0, found?.count), person).map(
      ([day, entries]) => html`
        <section class="day" key=${day} aria-labelledby=${`day-${day}`}>
          <h2 id=${`day-${day}`}>${dayText(day, today)}</h2>
          <ul>
            ${entries.map((entry) => html`<li key=${entry.id}><${Entry} entry=${entry} place=${place} family=${family} isWaiting=${waitingIds.has(entry.id)} isBad=${bad.has(entry.id)} /></li>`)}
          </ul>
        </section>
      `,
    )}
    <div ref=${end}>${hasMore && html`<p class="quiet">…</p>`}</div>
    ${id && html`<${EntrySheet} id=${id} key=${id} onClose=${() => go(place)} />`}
  `;
}
