// A month at a glance: each day with a dot a kind, in a place of its own; a tap opens the day.

import { useStyles } from "../charts/styles.js";
import { dateOf } from "../model/days.js";
import { datesOf, DOTS, monthOf, monthsOn } from "../model/month.js";
import { plainDate } from "../parts/format.js";
import { useQuery } from "../parts/hooks.js";
import { Icon } from "../parts/icons.js";
import { kindName } from "../parts/text.js";
import { now } from "../store/clock.js";
import { locale } from "../store/locale.js";
import { html, useMemo, useState } from "../vendor/preact.js";
import { inRow, say, sayIf } from "../words.js";

const DAY = 86_400_000;
/** @type {import("../model/totals.js").Item[]} */
const NONE = [];
/** @param {string} kind */
const nameOf = (kind) => sayIf("kinds", kind) ?? kindName(kind);

/** @param {Intl.DateTimeFormatOptions} options */
const form = (options) => new Intl.DateTimeFormat(locale().words, { ...options, timeZone: "UTC" });

/** 1 for Monday to 7 for Sunday: with which day this reader's weeks begin. */
function firstOfWeek() {
  try {
    const place = /** @type {any} */ (new Intl.Locale(locale().words));
    return (place.getWeekInfo?.() ?? place.weekInfo).firstDay;
  } catch {
    return 1;
  }
}

/** @param {{store: any, child: import("../store/types").StoredChild, account: any}} props */
export function MonthScreen({ store, child, account }) {
  const { timezone, day_start_time: dayStart } = account;
  const person = useMemo(() => ({ timezone, dayStart }), [timezone, dayStart]);
  const today = dateOf(now(), person);
  const [month, setMonth] = useState(today.slice(0, 7));
  const isStyled = useStyles(new URL("./month.css", import.meta.url));
  const found = useQuery(async () => {
    const { edges } = datesOf(month, person);
    return { month, events: await store.events(child.id, { from: edges[0], to: edges[edges.length - 1] }) };
  }, [child.id, month, person]);
  // The month that was asked for is there at once, its dots when they are.
  const events = found?.month === month ? found.events : NONE;
  const days = useMemo(() => monthOf(events, month, person), [events, month, person]);
  const first = firstOfWeek();
  const before = (new Date(`${month}-01T00:00:00Z`).getUTCDay() + 7 - first % 7) % 7;
  // The 1st of 1970 was a Thursday.
  const named = (/** @type {"short" | "narrow"} */ weekday) =>
    Array.from({ length: 7 }, (_, place) => form({ weekday }).format((first + 3 + place) * DAY));
  // A short name that is a word, as in Arabic, is wider than its column.
  const weekdays = named(named("short").some((name) => name.length > 4) ? "narrow" : "short");
  const used = DOTS.filter((kind) => days.some(({ kinds }) => kinds.includes(kind)));
  const isLast = month >= today.slice(0, 7);
  if (!isStyled) return html`<p class="soft">…</p>`;
  return html`
    <header class="day-picker">
      <h2 aria-live="polite">${form({ month: "long", year: "numeric" }).format(Date.parse(`${month}-01`))}</h2>
      <button type="button" class="plain" aria-label=${say("month.before")} onClick=${() => setMonth(monthsOn(month, -1))}>
        <${Icon} name="back" />
      </button>
      <button type="button" class="plain" aria-label=${say("month.after")} aria-disabled=${isLast ? "true" : undefined}
        onClick=${() => !isLast && setMonth(monthsOn(month, 1))}><${Icon} name="next" /></button>
    </header>
    <div class="month" aria-busy=${found?.month !== month}>
      <div class="month-week" aria-hidden="true">${weekdays.map((name) => html`<span>${name}</span>`)}</div>
      <ol>
        ${Array.from({ length: before }, () => html`<li aria-hidden="true"></li>`)}
        ${days.map((day) => html`<li key=${day.date}><${Day} ...${day} today=${today} /></li>`)}
      </ol>
    </div>
    ${used.length > 0 ? html`<ul class="month-key">
      ${used.map((kind) => html`<li><${Dots} kinds=${[kind]} isKey />${nameOf(kind)}</li>`)}</ul>`
      : found?.month === month && html`<p class="soft">${say("month.empty")}</p>`}`;
}

/** @param {{date: string, kinds: string[], today: string}} props */
function Day({ date, kinds, today }) {
  const number = Number(date.slice(8));
  if (date > today) return html`<span class="month-day soft">${number}</span>`;
  const names = inRow(kinds.map((kind) => sayIf("phrase.kinds", kind) ?? kindName(kind)));
  const said = kinds.length ? say("month.day", { date: plainDate(date), kinds: names }) : say("month.day_empty", { date: plainDate(date) });
  return html`<a class="month-day" href=${`#/timeline/on/${date}`} aria-label=${said}
    aria-current=${date === today ? "date" : undefined}>${number}<${Dots} kinds=${kinds} /></a>`;
}

/**
 * `isKey`: the places of the others show as well.
 * @param {{kinds: string[], isKey?: boolean}} props
 */
const Dots = ({ kinds, isKey = false }) => html`<svg class="month-dots" viewBox="0 0 35 14" aria-hidden="true">
  ${DOTS.map((kind, place) => (isKey || kinds.includes(kind)) && html`<circle r="2.6"
    class=${kinds.includes(kind) ? kind : "other"} cx=${3.5 + 7 * (place % 5)} cy=${place < 5 ? 3.5 : 10.5} />`)}
</svg>`;
