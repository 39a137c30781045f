// Fourteen days with everything that was logged, to print or to show somebody.

import { say } from "../words.js";
import { useStyles } from "../charts/styles.js";
import { dateText, durationText, numberText } from "../charts/words.js";
import { isGone } from "../model/totals.js";
import { lastDays, trend } from "../model/trends.js";
import { amount, clockText, plainDate, temperature } from "../parts/format.js";
import { join, kindName, summary } from "../parts/text.js";
import { Button } from "../parts/ui.js";
import { now } from "../store/clock.js";
import { html, useEffect, useState } from "../vendor/preact.js";

const DAYS = 14;
const DAY = 86_400_000;

/** @typedef {import("../model/totals.js").Item} Item */
/** @typedef {import("../model/totals.js").DayTotals} DayTotals */

/** @type {[import("../words.js").Id, (day: DayTotals, events: Item[]) => string | number | false | 0][]} */
const columns = [
  ["sheet.feeds", (day) => day.feedings],
  ["sheet.bottles", (day) => day.bottleMl && amount(day.bottleMl)],
  ["sheet.breast", (day) => day.breastMinutes && durationText(day.breastMinutes)],
  ["sheet.solids", (day) => day.feeds.solid],
  ["sheet.sleep", (day) => day.sleepMinutes && durationText(day.sleepMinutes)],
  ["sheet.longest", (day) => day.longestSleepMinutes && durationText(day.longestSleepMinutes)],
  ["sheet.wet", (day) => day.diapers.wet + day.diapers.mixed],
  ["sheet.dirty", (day) => day.diapers.dirty + day.diapers.mixed],
  ["sheet.pumped", (day) => day.pumpedMl && amount(day.pumpedMl)],
  ["sheet.highest", (_, events) => {
    const all = events.filter(({ type }) => type === "temperature").map(({ event }) => event.celsius);
    return all.length > 0 && temperature(Math.max(...all));
  }],
];

/** @param {{store: any, child: import("../store/types").StoredChild, account: any}} props */
export function SheetScreen({ store, child, account }) {
  const [shown, show] = useState(/** @type {any} */ (null));
  const isStyled = useStyles(new URL("./print.css", import.meta.url), new URL("./sheet.css", import.meta.url));
  const person = { timezone: account.timezone, dayStart: account.day_start_time };
  useEffect(() => {
    const read = async () => {
      const { dates, edges } = lastDays(now(), DAYS, person);
      /** @type {Item[]} */
      const events = await store.events(child.id, { from: edges[0] - DAY, to: edges[DAYS] });
      show({ dates, edges, events: events.filter((item) => !isGone(item)), days: trend(events, edges, now()) });
    };
    read();
    store.addEventListener?.("change", read);
    return () => store.removeEventListener?.("change", read);
  }, [store, child.id]);
  if (!shown || !isStyled) return html`<p class="soft">…</p>`;
  const { dates, edges, days } = shown;
  const range = say("common.from_to", { from: dateText(dates[0], "full"), to: dateText(dates[DAYS - 1], "full") });
  /** @type {Item[][]} */
  const events = dates.map((/** @type {string} */ _, /** @type {number} */ place) => shown.events
    .filter((/** @type {Item} */ { at }) => Date.parse(at) >= edges[place] && Date.parse(at) < edges[place + 1]).reverse());
  return html`
    <div class="sheet-of-days">
      <p>${say("sheet.about", { child: child.name, date: plainDate(child.date_of_birth), range, time: clockText(edges[0]) })}</p>
      <div class="actions"><${Button} kind="primary" onClick=${() => print()}>${say("sheet.print")}<//></div>
      <div class="chart-scroll" tabindex="0" role="region" aria-label=${say("sheet.each_day")}>
        <table>
          <thead><tr><th scope="col">${say("sheet.day")}</th>${columns.map(([name]) => html`<th scope="col">${say(name)}</th>`)}</tr></thead>
          <tbody>${dates.map((/** @type {string} */ date, /** @type {number} */ place) => html`<tr>
            <th scope="row">${dateText(date, "long")}</th>
            ${columns.map(([, value]) => html`<td>${days[place] ? cell(value(days[place], events[place])) : ""}</td>`)}
          </tr>`)}</tbody>
        </table>
      </div>
      ${dates.map((/** @type {string} */ date, /** @type {number} */ place) => events[place].length > 0 && html`
        <section key=${date} aria-labelledby=${`sheet-${date}`}>
          <h2 id=${`sheet-${date}`}>${dateText(date, "long")}</h2>
          <ul>${events[place].map(({ type, at, event }) => html`<li class=${event.for_doctor ? "marked" : ""}>
            <b>${clockText(at)}</b> ${line(type, at, event)}
          </li>`)}</ul>
        </section>`)}
    </div>`;
}

/** @param {string | number | false | 0} value */
const cell = (value) => (typeof value === "number" ? (value ? numberText(value) : "") : value || "");

/**
 * What it was, how long it took, and what was remarked.
 * @param {string} type @param {string} at @param {Record<string, any>} event
 */
function line(type, at, event) {
  const minutes = event.ended_at ? Math.floor((Date.parse(event.ended_at) - Date.parse(at)) / 60_000) : 0;
  const parts = [summary(type, event) || kindName(type), minutes > 0 && durationText(minutes), event.notes];
  return join(...parts);
}
