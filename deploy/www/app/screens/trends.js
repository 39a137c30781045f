// The last 7, 30 or 90 days: feeds, millilitres, sleep and when it was, diapers, gaps, temperatures.

import { Bars } from "../charts/bars.js";
import { SleepPattern } from "../charts/sleep-pattern.js";
import { durationText, numberText } from "../charts/words.js";
import { averageOf, lastDays, trend } from "../model/trends.js";
import { amount, clockText, fromMl, isUS, volumeUnit } from "../parts/format.js";
import { word } from "../parts/text.js";
import { Stash } from "../parts/stash.js";
import { Choice } from "../parts/ui.js";
import { now } from "../store/clock.js";
import { html, useEffect, useMemo, useState } from "../vendor/preact.js";
import { say, sayNodes } from "../words.js";
import { Gaps, Temperatures } from "./trends-more.js";

/** @typedef {import("../model/totals.js").DayTotals} DayTotals */

const SPANS = [7, 30, 90];
/** @typedef {import("../words.js").Id} Id */
/** @type {Record<"breast" | "bottle" | "solid", Id>} */
const FEEDS = { breast: "trends.breast", bottle: "trends.bottle", solid: "trends.solids" };
/** @type {Record<"wet" | "dirty" | "mixed" | "dry", Id>} */
const DIAPERS = { wet: "trends.wet", dirty: "trends.dirty", mixed: "trends.mixed", dry: "trends.dry" };
const HOUR = 3_600_000;

/** @param {number} value */
const toTenth = (value) => Math.round(value * 10) / 10;

/** @param {{store: any, child: import("../store/types").StoredChild, account: any}} props */
export function TrendsScreen({ store, child, account }) {
  const [count, setCount] = useState(7);
  const { timezone, day_start_time: dayStart } = account;
  const person = useMemo(() => ({ timezone, dayStart }), [timezone, dayStart]);
  const shown = useTrend({ store, child, person, count });
  return html`
    <section class="trends" aria-busy=${shown === null}>
      <${Choice} label=${say("trends.how_many_days")} hidden
        options=${SPANS.map((span) => [span, say("trends.days", { count: span })])}
        value=${count} onChange=${setCount} />
      ${shown && (shown.days.every((/** @type {any} */ day) => day === null)
        ? html`<p class="empty soft">${sayNodes("trends.nothing", { child: child.name, count })}</p>`
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
  const mean = (/** @type {(day: DayTotals) => number} */ value, /** @type {(average: number) => string} */ text) => {
    const average = averageOf(days, value);
    return average === null ? say("trends.no_full_day") : text(average);
  };
  const minutes = (/** @type {number} */ value) => durationText(Math.round(value));
  const milkADay = (/** @type {number} */ ml) => say("trends.average", { amount: amount(Math.round(ml)) });
  const milk = (/** @type {number} */ shown) => say(isUS("volume") ? "unit.fl_oz" : "unit.ml", { number: numberText(shown, 1) });
  const hasBottles = days.some((day) => day && day.bottleTenths > 0);
  const hasPumped = days.some((day) => day && day.pumpedTenths > 0);
  const types = /** @type {const} */ (["breast", "bottle", "solid"]).filter((type) => days.some((day) => day && day.feeds[type] > 0));
  const feedTypes = types.length > 1 ? types : [];
  const sorts = /** @type {const} */ (["wet", "dirty", "mixed", "dry"]).filter((sort) => sort !== "dry" || days.some((day) => day && day.diapers.dry > 0));
  const sleeps = days.map((day) => [...day?.sleeps ?? []].sort((one, other) => one.start - other.start));
  return html`
    <${Bars} title=${say("trends.feeds")} unit=${say("trends.feeds")} kind="feeds" step=${1} names=${feedTypes.map((type) => word("type", type))}
      days=${series((day) => day.feedings, (day) => feedTypes.map((type) => day.feeds[type]))}
      summary=${mean((day) => day.feedings, (average) => say("trends.average_feeds", { count: toTenth(average) }))}
      partText=${(/** @type {number} */ place, /** @type {number} */ count) => say(FEEDS[feedTypes[place]], { count })}
      text=${(/** @type {number} */ value) => numberText(value)} axis=${numberText} />
    ${hasBottles && html`<${Bars} title=${say("trends.from_bottles")} unit=${volumeUnit()} kind="feeds"
      days=${series((day) => fromMl(day.bottleMl))}
      summary=${mean((day) => day.bottleMl, milkADay)} text=${milk} axis=${numberText} />`}
    ${hasPumped && html`<${Bars} title=${say("trends.pumped")} unit=${volumeUnit()} kind="feeds"
      days=${series((day) => fromMl(day.pumpedMl))}
      summary=${mean((day) => day.pumpedMl, milkADay)} text=${milk} axis=${numberText} />`}
    <${Bars} title=${say("kind.sleep")} unit=${say("charts.asleep")} kind="sleeps" step=${120} days=${series((day) => day.sleepMinutes)}
      summary=${mean((day) => day.sleepMinutes, (average) => say("trends.average", { amount: minutes(average) }))}
      text=${minutes} axis=${(/** @type {number} */ value) => say("length.hours", { hours: value / 60 })} />
    <${SleepPattern} date=${today} edges=${edges} sleeps=${sleeps} ...${person}
      summary=${say("trends.rows", { time: clockText(edges[0]) })} />
    <${Bars} title=${say("trends.diapers")} unit=${say("trends.diapers")} kind="diapers" step=${1} names=${sorts.map((type) => word("type", type))}
      days=${series((day) => day.diaperCount, (day) => sorts.map((sort) => day.diapers[sort]))}
      summary=${mean((day) => day.diaperCount, (average) => say("trends.average_diapers", { count: toTenth(average) }))}
      partText=${(/** @type {number} */ place, /** @type {number} */ count) => say(DIAPERS[sorts[place]], { count })}
      text=${(/** @type {number} */ value) => numberText(value)} axis=${numberText} />
    <${Gaps} ...${{ dates, edges, events }} />
    <${Temperatures} ...${{ dates, edges, events, person }} />`;
}
