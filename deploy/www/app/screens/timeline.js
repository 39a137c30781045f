// Everything that was logged, newest first, by day.

import { html, useEffect, useRef, useState } from "../vendor/preact.js";
import { kindName, summary } from "../parts/text.js";
import { dateOf } from "../model/days.js";
import { clockText, dayText, span } from "../parts/format.js";
import { go, useQuery, useStore } from "../parts/hooks.js";
import { isUnderWay } from "../store/kinds.js";
import { now } from "../store/clock.js";
import { Icon } from "../parts/icons.js";
import { Notices, Waiting } from "./notices.js";
import { Choice, Head } from "../parts/ui.js";
import { EntrySheet } from "./entry.js";

/** @typedef {import("../store/types").Kept} Kept */

const PAGE = 60;
const filters = /** @type {[string, string][]} */ ([["", "All"], ["feeding", "Feeds"], ["sleep", "Sleep"], ["diaper", "Diapers"]]);
/** Offered where there is something of them. */
const rarer = /** @type {[string, string][]} */ ([
  ["note", "Notes"], ["pumping", "Pumping"], ["medication", "Medicine"], ["temperature", "Temperature"], ["measurement", "Growth"],
  ["activity", "Activities"], ["discard", "Thrown away"],
]);

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

/** @param {{rest: string}} props */
export function Timeline({ rest }) {
  const store = useStore();
  const { family } = store;
  const { child, waitingIds, rejected } = store.snapshot;
  const person = { timezone: store.account.timezone, dayStart: store.account.day_start_time };
  const today = dateOf(now(), person);
  const [filter, setFilter] = useState("");
  const [count, setCount] = useState(PAGE);
  const found = useQuery(
    async () => ({ entries: child ? await store.page(child.id, filter, count + 1) : [], count }),
    [child?.id, filter, count],
  );
  const kept = useQuery(() => (child ? store.latest(child.id, rarer.map(([type]) => type), [], 0) : Promise.resolve(null)), [child?.id]);
  const offered = [...filters, ...rarer.filter(([type]) => type === filter || kept?.last[type])];
  const hasMore = (found?.entries.length ?? 0) > (found?.count ?? 0);
  const end = useEnd(() => hasMore && found?.count === count && setCount(count + PAGE));
  const bad = new Set(rejected.map((entry) => entry.id));
  return html`
    <${Head} title="Timeline"><a class="button small" href="#/deleted">Deleted<span class="unseen"> entries</span></a><//>
    <${Waiting} />
    <${Notices} />
    ${child && family.children.length > 1 &&
    html`<${Choice} label="Child" hidden kind="children" value=${child.id} options=${family.children.map((one) => [one.id, one.name])}
      onChange=${(/** @type {string} */ id) => store.choose(family.id, id)} />`}
    <${Choice} label="Show" hidden kind="children" options=${offered} value=${filter} onChange=${(/** @type {string} */ next) => (setFilter(next), setCount(PAGE))} />
    ${found && !found.entries.length &&
    html`<div class="empty"><${Icon} name="timeline" /><p>Nothing logged${filter ? " of this kind" : ""} yet.</p></div>`}
    ${byDay((found?.entries ?? []).slice(0, found?.count), person).map(
      ([date, entries]) => html`
        <section class="day" key=${date} aria-labelledby=${`day-${date}`}>
          <h2 id=${`day-${date}`}>${dayText(date, today)}</h2>
          <ul>
            ${entries.map((entry) => html`<li key=${entry.id}><${Entry} entry=${entry} family=${family} isWaiting=${waitingIds.has(entry.id)} isBad=${bad.has(entry.id)} /></li>`)}
          </ul>
        </section>
      `,
    )}
    <div ref=${end}>${hasMore && html`<p class="quiet">…</p>`}</div>
    ${rest && html`<${EntrySheet} id=${rest} key=${rest} onClose=${() => go("timeline")} />`}
  `;
}

/** @param {{entry: Kept, family: import("../store/types").StoredFamily, isWaiting: boolean, isBad: boolean}} props */
function Entry({ entry, family, isWaiting, isBad }) {
  const { type, event, time } = entry;
  const author = family.members.find((one) => one.user_id === event.created_by?.user_id)?.name ?? event.created_by?.name;
  const length = Date.parse(event.ended_at) > time ? span(Date.parse(event.ended_at) - time) : isUnderWay(entry, now()) ? "still going" : "";
  const icon = type === "feeding" && event.type !== "bottle" ? event.type : type;
  return html`
    <a class=${`entry ${type}`} href=${`#/timeline/${entry.id}`}>
      <${Icon} name=${icon} />
      <strong class="text">${summary(type, event) || kindName(type)}</strong>
      <span class="time">${isWaiting && !isBad && html`<${Icon} name="waiting" /><span class="unseen">Waiting to be sent, </span>`}${clockText(time)}</span>
      <span class="about">${isBad && html`<b class="bad">Not saved</b>`}${event.for_doctor === true && html`<b>For the doctor</b>`}${[length, family.members.length > 1 && author].filter(Boolean).map((part) => html`<bdi>${part}</bdi>`)}</span>
      ${event.notes && html`<span class="remark">${event.notes}</span>`}
    </a>
  `;
}
