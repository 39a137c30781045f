// The last 7, 30 or 90 days: feeds, millilitres, sleep, and when it was.

import { Bars } from "../charts/bars.js";
import { SleepPattern } from "../charts/sleep-pattern.js";
import { durationText, numberText } from "../charts/words.js";
import { averageOf, lastDays, trend } from "../model/trends.js";
import { amount, fromMl, volumeUnit } from "../parts/format.js";
import { Choice } from "../parts/ui.js";
import { now } from "../sync/clock.js";
import { html, useEffect, useMemo, useState } from "../vendor/preact.js";

const SPANS = [7, 30, 90];
const HOUR = 3_600_000;

/** @param {{store: any, child: any, account: any}} props */
export function TrendsScreen({ store, child, account }) {
  const [count, setCount] = useState(7);
  const person = useMemo(() => ({ timezone: account.timezone, dayStart: account.day_start_time }), [account.timezone, account.day_start_time]);
  const shown = useTrend({ store, child, person, count });
  return html`
    <section class="trends" aria-busy=${shown === null}>
      <${Choice} label="How many days" hidden options=${SPANS.map((span) => [span, `${span} days`])} value=${count} onChange=${setCount} />
      ${shown && (shown.days.every((/** @type {any} */ day) => day === null)
        ? html`<p class="empty soft">Nothing logged for ${child.name} in these ${count} days.</p>`
        : html`<${Charts} ...${shown} person=${person} />`)}
    </section>`;
}

/**
 * What the days add up to, anew whenever the store changes.
 * @param {{store: any, child: any, person: {timezone: string, dayStart: string}, count: number, now?: number}} asked
 */
function useTrend({ store, child, person, count }) {
  const [shown, show] = useState(/** @type {any} */ (null));
  useEffect(() => {
    let isCurrent = true;
    const read = async () => {
      const moment = now();
      const { today, dates, edges } = lastDays(moment, count, person);
      const events = await store.events(child.id, { from: edges[0] - 24 * HOUR, to: edges[count] });
      if (isCurrent) show({ today, dates, edges, days: trend(events, edges, moment) });
    };
    read();
    store.addEventListener?.("change", read);
    return () => {
      isCurrent = false;
      store.removeEventListener?.("change", read);
    };
  }, [store, child.id, person, count]);
  return shown?.dates.length === count ? shown : null;
}

/** @param {{today: string, dates: string[], edges: number[], days: (import("../model/totals.js").DayTotals | null)[], person: {timezone: string, dayStart: string}}} props */
function Charts({ today, dates, edges, days, person }) {
  const series = (/** @type {(day: import("../model/totals.js").DayTotals) => number} */ value) =>
    dates.map((date, place) => ({ date, value: days[place] === null ? null : value(/** @type {any} */ (days[place])) }));
  const mean = (/** @type {number | null} */ value, /** @type {(value: number) => string} */ text) =>
    value === null ? "No full day yet" : `${text(value)} a day on average`;
  const feeds = averageOf(days, (day) => day.feedings);
  const milk = averageOf(days, (day) => day.bottleMl);
  const sleep = averageOf(days, (day) => day.sleepMinutes);
  const minutes = (/** @type {number} */ value) => durationText(Math.round(value));
  const hasBottles = days.some((day) => day && day.bottleTenths > 0);
  return html`
    <${Bars} title="Feeds" unit="Feeds" kind="feeds" days=${series((day) => day.feedings)} step=${1}
      summary=${mean(feeds, (value) => `${numberText(value, 1)} feeds`)} text=${(/** @type {number} */ value) => numberText(value)} axis=${numberText} />
    ${hasBottles && html`<${Bars} title="From bottles" unit=${volumeUnit()} kind="feeds" days=${series((day) => fromMl(day.bottleMl))}
      summary=${mean(milk, (value) => amount(Math.round(value)))} text=${(/** @type {number} */ value) => `${numberText(value, 1)} ${volumeUnit()}`} axis=${numberText} />`}
    <${Bars} title="Sleep" unit="Asleep" kind="sleeps" days=${series((day) => day.sleepMinutes)} step=${120}
      summary=${mean(sleep, minutes)} text=${minutes} axis=${(/** @type {number} */ value) => `${value / 60} h`} />
    <${SleepPattern} date=${today} edges=${edges} sleeps=${days.map((day) => [...day?.sleeps ?? []].sort((one, other) => one.start - other.start))}
      timezone=${person.timezone} dayStart=${person.dayStart}
      summary=${`Each row is a day from ${person.dayStart}; the last one is today.`} />`;
}
