// The last 7, 30 or 90 days: feeds, millilitres, sleep and when it was, diapers, gaps, temperatures.

import { Bars } from "../charts/bars.js";
import { SleepPattern } from "../charts/sleep-pattern.js";
import { durationText, numberText } from "../charts/words.js";
import { averageOf, lastDays, trend } from "../model/trends.js";
import { amount, clockText, fromMl, volumeUnit } from "../parts/format.js";
import { word } from "../parts/text.js";
import { Stash } from "../parts/stash.js";
import { Choice } from "../parts/ui.js";
import { now } from "../store/clock.js";
import { html, useEffect, useMemo, useState } from "../vendor/preact.js";
import { Gaps, Temperatures } from "./trends-more.js";

/** @typedef {import("../model/totals.js").DayTotals} DayTotals */

const SPANS = [7, 30, 90];
const HOUR = 3_600_000;

/** @param {{store: any, child: import("../store/types").StoredChild, account: any}} props */
export function TrendsScreen({ store, child, account }) {
  const [count, setCount] = useState(7);
  const { timezone, day_start_time: dayStart } = account;
  const person = useMemo(() => ({ timezone, dayStart }), [timezone, dayStart]);
  const shown = useTrend({ store, child, person, count });
  return html`
    <section class="trends" aria-busy=${shown === null}>
      <${Choice} label="How many days" hidden options=${SPANS.map((span) => [span, `${span} days`])}
        value=${count} onChange=${setCount} />
      ${shown && (shown.days.every((/** @type {any} */ day) => day === null)
        ? html`<p class="empty soft">Nothing logged for ${child.name} in these ${count} days.</p>`
        : html`<${Charts} ...${shown} person=${person} />`)}
      <${Stash} />
    </section>`;
}

/**
 * What the days add up to, anew whenever the store changes.
 * @param {{store: any, child: import("../store/types").StoredChild, person: {timezone: string, dayStart: string}, count: number, now?: number}} asked
 */
function useTrend({ store, child, person, count }) {
  const [shown, show] = useState(/** @type {any} */ (null));
  useEffect(() => {
    let isCurrent = true;
    const read = async () => {
      const moment = now();
      const { today, dates, edges } = lastDays(moment, count, person);
      const events = await store.events(child.id, { from: edges[0] - 24 * HOUR, to: edges[count] });
      if (isCurrent) show({ today, dates, edges, events, days: trend(events, edges, moment) });
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

/**
 * @param {{today: string, dates: string[], edges: number[], days: (DayTotals | null)[],
 *   events: import("../model/totals.js").Item[], person: import("../model/trends.js").Person}} props
 */
export function Charts({ today, dates, edges, days, events, person }) {
  const series = (/** @type {(day: DayTotals) => number} */ value, /** @type {(day: DayTotals) => number[]} */ parts = () => []) =>
    dates.map((date, place) => {
      const day = days[place];
      return { date, value: day && value(day), parts: day ? parts(day) : [] };
    });
  const mean = (/** @type {(day: DayTotals) => number} */ value, /** @type {(value: number) => string} */ text) => {
    const average = averageOf(days, value);
    return average === null ? "No full day yet" : `${text(average)} a day on average`;
  };
  const minutes = (/** @type {number} */ value) => durationText(Math.round(value));
  const milk = (/** @type {number} */ shown) => `${numberText(shown, 1)} ${volumeUnit()}`;
  const hasBottles = days.some((day) => day && day.bottleTenths > 0);
  const hasPumped = days.some((day) => day && day.pumpedTenths > 0);
  const types = /** @type {const} */ (["breast", "bottle", "solid"]).filter((type) => days.some((day) => day && day.feeds[type] > 0));
  const feedTypes = types.length > 1 ? types : [];
  const sorts = /** @type {const} */ (["wet", "dirty", "mixed", "dry"]).filter((sort) => sort !== "dry" || days.some((day) => day && day.diapers.dry > 0));
  const sleeps = days.map((day) => [...day?.sleeps ?? []].sort((one, other) => one.start - other.start));
  return html`
    <${Bars} title="Feeds" unit="Feeds" kind="feeds" step=${1} names=${feedTypes.map((type) => word("type", type))}
      days=${series((day) => day.feedings, (day) => feedTypes.map((type) => day.feeds[type]))}
      summary=${mean((day) => day.feedings, (value) => `${numberText(value, 1)} feeds`)}
      text=${(/** @type {number} */ value) => numberText(value)} axis=${numberText} />
    ${hasBottles && html`<${Bars} title="From bottles" unit=${volumeUnit()} kind="feeds"
      days=${series((day) => fromMl(day.bottleMl))}
      summary=${mean((day) => day.bottleMl, (value) => amount(Math.round(value)))} text=${milk} axis=${numberText} />`}
    ${hasPumped && html`<${Bars} title="Pumped" unit=${volumeUnit()} kind="feeds"
      days=${series((day) => fromMl(day.pumpedMl))}
      summary=${mean((day) => day.pumpedMl, (value) => amount(Math.round(value)))} text=${milk} axis=${numberText} />`}
    <${Bars} title="Sleep" unit="Asleep" kind="sleeps" step=${120} days=${series((day) => day.sleepMinutes)}
      summary=${mean((day) => day.sleepMinutes, minutes)}
      text=${minutes} axis=${(/** @type {number} */ value) => `${value / 60} h`} />
    <${SleepPattern} date=${today} edges=${edges} sleeps=${sleeps} ...${person}
      summary=${`Each row is a day from ${clockText(edges[0])}; the last one is today.`} />
    <${Bars} title="Diapers" unit="Diapers" kind="diapers" step=${1} names=${sorts.map((type) => word("type", type))}
      days=${series((day) => day.diaperCount, (day) => sorts.map((sort) => day.diapers[sort]))}
      summary=${mean((day) => day.diaperCount, (value) => `${numberText(value, 1)} diapers`)}
      text=${(/** @type {number} */ value) => numberText(value)} axis=${numberText} />
    <${Gaps} ...${{ dates, edges, events }} />
    <${Temperatures} ...${{ dates, edges, events, person }} />`;
}
