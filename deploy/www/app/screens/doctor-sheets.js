// The two sheets for the doctor. Each fits a page of A4 or Letter: what is too much for it is counted.

import { Paper } from "../charts/frame.js";
import { GrowthChart } from "../charts/growth.js";
import { dateText, durationText, numberText, percentileText } from "../charts/words.js";
import { daysBetween } from "../model/days.js";
import { MEASURES, pointsOf } from "../model/growth.js";
import { age, amount, clockText, dateOf, length, plainDate, weight } from "../parts/format.js";
import { join } from "../parts/text.js";
import { html } from "../vendor/preact.js";
import { say } from "../words.js";
import { Medicines, Notes, Temperatures } from "./doctor-lists.js";
import { shownAs } from "./growth.js";
import { Charts } from "./trends.js";

/** @typedef {import("../model/growth.js").Point} Point */
/** @typedef {import("../model/growth.js").Measure} Measure */

const HALF = { width: 334, em: 12 };
const THIRD = { width: 218, em: 40 / 3 };
const ROWS = 4;

/** @param {any} props */
export function FirstSheet({ report, measured, standard, answers, child, account, today, isPrinting }) {
  const { dates, edges } = report;
  return html`
    <section class="paper-sheet" aria-labelledby="paper-name">
      <h2 id="paper-name" class="paper-name">${child.name}</h2>
      <p>${say("doctor.about", {
        born: plainDate(child.date_of_birth), age: age(child.date_of_birth), time: clockText(edges[0]),
        from: dateText(dates[0], "full"), to: dateText(dates[dates.length - 1], "full"),
      })}</p>
      <${Means} report=${report} />
      <${Growth} ...${{ measured, standard, answers, child, account, today, isPrinting }} />
      <div class="paper-columns">
        <${Notes} notes=${report.notes} />
        <div><${Medicines} medicines=${report.medicines} /><${Temperatures} temperatures=${report.temperatures} /></div>
      </div>
    </section>`;
}

/** @param {any} props */
export const DaysSheet = ({ report: { dates, edges, days }, events, person, today, isPrinting }) => html`
  <section class="paper-sheet paper-charts" aria-label=${say("doctor.day_by_day")}>
    <${Paper.Provider} value=${isPrinting ? HALF : null}>
      <${Charts} ...${{ today, dates, edges, days, events, person }} />
    <//>
  </section>`;

/** @param {any} props */
function Means({ report: { sums, full_days: days, longest_sleep_minutes: longest } }) {
  if (!days) return html`<p class="soft">${say("doctor.no_full_day")}</p>`;
  const minutes = (/** @type {number} */ sum) => durationText(Math.round(sum / days));
  const all = [
    [say("trends.feeds"), numberText(sums.feedings / days, 1)],
    [say("trends.from_bottles"), sums.bottle_ml > 0 && amount(Math.round(sums.bottle_ml / days))],
    [say("doctor.at_the_breast"), sums.breast_minutes > 0 && minutes(sums.breast_minutes)],
    [say("word.type.solid"), sums.solids > 0 && numberText(sums.solids / days, 1)],
    [say("kind.sleep"), minutes(sums.sleep_minutes)],
    [say("doctor.longest_sleep"), longest > 0 && durationText(longest)],
    [say("doctor.wet_diapers"), numberText(sums.wet / days, 1)],
    [say("doctor.dirty_diapers"), numberText(sums.dirty / days, 1)],
  ].filter(([, value]) => value);
  return html`<h2>${say("doctor.average_day", { count: days })}</h2>
    <dl class="paper-means">${all.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

/** @param {any} props */
function Growth({ measured, standard, answers: { sex, due }, child, account, today, isPrinting }) {
  const { timezone } = account;
  const measures = /** @type {[Measure, any][]} */ (Object.entries(shownAs()));
  const all = [...measured].sort((one, other) => one.at < other.at ? 1 : -1);
  if (!all.length) return html`<h2>${say("kind.measurement")}</h2><p class="soft">${say("doctor.nothing_measured")}</p>`;
  const points = (/** @type {Measure} */ measure) =>
    sex && standard ? pointsOf(measured, measure, { child, timezone, sex, due, standard }) : [];
  const known = measures.map(([measure, as]) => ({ measure, as, points: points(measure) }));
  const standing = new Map(known.flatMap(({ measure, points }) =>
    points.map((point) => [`${point.id} ${measure}`, point])));
  const cell = (/** @type {any} */ event, /** @type {Measure} */ measure) => {
    const value = event[MEASURES[measure].field];
    const text = value ? (measure === "weight" ? weight : length)(value) : "";
    const percentile = standing.get(`${event.id} ${measure}`)?.percentile;
    return join(text, text && percentile != null && percentileText(percentile));
  };
  return html`
    <h2>${say("kind.measurement")}</h2>
    <div class="paper-thirds"><${Paper.Provider} value=${isPrinting ? THIRD : null}>
      ${known.filter(({ points }) => points.length > 0).map(({ measure, as, points }) => html`<${GrowthChart}
        key=${measure} ...${as} age=${Math.max(0, daysBetween(child.date_of_birth, today))}
        ...${{ measure, sex, standard, points }} />`)}
    <//></div>
    <table>
      <thead><tr>
        <th scope="col">${say("doctor.measured_on")}</th>${measures.map(([, { title }]) => html`<th scope="col">${title}</th>`)}
      </tr></thead>
      <tbody>${all.slice(0, ROWS).map(({ at, event }) => html`<tr key=${event.id}>
        <th scope="row">${plainDate(dateOf(at))}</th>
        ${measures.map(([measure]) => html`<td>${cell(event, measure)}</td>`)}
      </tr>`)}</tbody>
    </table>
    ${sex && html`<p class="small">${standardText(sex, standing.size ? due : null)}</p>`}`;
}

/** @param {"girl" | "boy"} sex @param {string | null | undefined} due */
function standardText(sex, due) {
  if (due) return say(sex === "girl" ? "doctor.standard_girls_due" : "doctor.standard_boys_due", { date: plainDate(due) });
  return say(sex === "girl" ? "doctor.standard_girls" : "doctor.standard_boys");
}
