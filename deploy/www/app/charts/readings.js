// Single values over days, each where its moment is.

import { html } from "../vendor/preact.js";
import { say } from "../words.js";
import { Chart, useSize } from "./frame.js";
import { ticksBetween } from "./growth.js";
import { dateText, numberText, timeText } from "./words.js";

/**
 * `shown` makes the device's unit of a value, `text` says it.
 * @param {{title: string, summary: string, dates: string[], edges: number[], timezone: string,
 *   readings: {at: number, date: string, value: number, about: string}[], shown: (value: number) => number,
 *   text: (value: number) => string}} props oldest first
 */
export function Readings({ title, summary, dates, edges, timezone, readings, shown, text }) {
  const { ref, width, em } = useSize();
  const rows = readings.map(({ at, date, value, about }) =>
    [say("time.moment", { date: dateText(date, "long"), time: timeText(at, timezone) }), text(value), about || "–"]);
  const values = readings.map(({ value }) => shown(value));
  const ticks = ticksBetween(Math.min(...values) - 0.1, Math.max(...values) + 0.1, 4);
  const [low, high] = [ticks[0], ticks[ticks.length - 1]];
  const [from, to] = [edges[0], edges[edges.length - 1]];
  const height = Math.round(em * 9);
  const [left, right, above, floor] = [em * 2.6, width - em * 0.6, em * 0.7, height - em * 1.6];
  const x = (/** @type {number} */ at) => left + (right - left) * (at - from) / (to - from);
  const y = (/** @type {number} */ value) => floor - (floor - above) * (value - low) / (high - low);
  const every = Math.max(1, Math.ceil(em * 4.2 * dates.length / Math.max(1, right - left)));
  return html`<${Chart} title=${title} summary=${summary} head=${
    [say("charts.column_when"), say("charts.column_measured"), say("charts.column_where")]}
    rows=${rows} boxRef=${ref}>
    ${width > 0 && html`<svg class="readings" role="img" aria-label=${`${title}. ${summary}`}
      width=${width} height=${height} viewBox=${`0 0 ${width} ${height}`}>
      ${ticks.map((tick) => html`<g class="grid"><line x1=${left} x2=${width} y1=${y(tick)} y2=${y(tick)} />
        <text x=${left - em * 0.4} y=${y(tick) + em * 0.3} text-anchor="end">${numberText(tick, 1)}</text></g>`)}
      ${dates.map((date, place) => (dates.length - 1 - place) % every === 0 && html`<text class="label"
        text-anchor="middle" x=${Math.min(Math.max(x((edges[place] + edges[place + 1]) / 2), left + em), right - em * 1.2)}
        y=${height - em * 0.4}>${dateText(date, "day")}</text>`)}
      ${readings.map(({ at, value }) =>
        html`<circle class="reading" cx=${x(at)} cy=${y(shown(value))} r=${em * 0.34} />`)}
    </svg>`}
  <//>`;
}
