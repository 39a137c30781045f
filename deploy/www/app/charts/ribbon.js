// A day at a glance: feeds above, sleep in the middle, diapers below, from one start of the day to the next.

import { html } from "../vendor/preact.js";
import { inRow, say, sayIf } from "../words.js";
import { clockTime, momentOf } from "../model/days.js";
import { clip, isGone, lengthOfUnion, sleepOf, startOf } from "../model/totals.js";
import { Chart, useSize } from "./frame.js";
import { durationText, hourText, timeText } from "./words.js";

/** @typedef {import("../model/totals.js").Item} Item */

const HOUR = 3_600_000;

/**
 * What a ribbon shows of a day, oldest first.
 * @param {Item[]} events @param {number} from @param {number} to @param {number} now
 */
export function dayParts(events, from, to, now) {
  const inDay = events.filter((item) => !isGone(item) && startOf(item) >= from && startOf(item) < to);
  const byTime = (/** @type {{start: number}} */ one, /** @type {{start: number}} */ other) => one.start - other.start;
  const marks = (/** @type {string} */ type) => inDay.filter((item) => item.type === type)
    .map((item) => ({ start: startOf(item), type: String(item.event.type) })).sort(byTime);
  const sleeps = events.filter((item) => item.type === "sleep" && !isGone(item)).flatMap((item) => {
    const sleep = sleepOf(item, now);
    return (sleep && clip(sleep, from, to)) ?? [];
  }).sort(byTime);
  return { feeds: marks("feeding"), diapers: marks("diaper"), sleeps };
}

/**
 * Every `step` hours of the clock between two moments.
 * @param {number} from @param {number} to @param {string} zone @param {number} step
 */
export function hoursBetween(from, to, zone, step) {
  const first = Math.ceil(clockTime(from, zone) / (step * HOUR)) * step * HOUR;
  const hours = [];
  for (let shown = first; shown <= first + 26 * HOUR; shown += step * HOUR) {
    const moment = momentOf(shown, zone);
    if (moment >= from && moment < to) hours.push({ moment, hour: Math.floor(shown / HOUR) % 24 });
  }
  return hours;
}

/**
 * @param {{events: Item[], day: {starts_at: string, ends_at: string, timezone: string}, now: number,
 *   title?: string}} props
 *   `day` as the dashboard has it; events of other days may be among them
 */
export function Ribbon({ events, day, now, title = say("charts.the_day") }) {
  const { ref, width, em } = useSize();
  const [from, to] = [Date.parse(day.starts_at), Date.parse(day.ends_at)];
  const zone = day.timezone;
  const { feeds, diapers, sleeps } = dayParts(events, from, to, now);
  const asleep = Math.floor(lengthOfUnion(sleeps) / 60_000);
  const summary = inRow([
    say("charts.feeds", { count: feeds.length }), say("charts.diapers", { count: diapers.length }),
    say("charts.time_asleep", { length: durationText(asleep) }),
  ]);
  const rows = [
    ...feeds.map(({ start, type }) => ({ start, cells: [timeText(start, zone), sayIf("charts.feed", type) ?? say("kind.feeding")] })),
    ...diapers.map(({ start, type }) => ({ start, cells: [timeText(start, zone), sayIf("charts.diaper", type) ?? say("kind.diaper")] })),
    ...sleeps.map(({ start, end, running }) => ({
      start,
      cells: [timeText(start, zone), running ? say("charts.asleep_since") : say("charts.asleep_until", { time: timeText(end, zone) })],
    })),
  ].sort((one, other) => one.start - other.start).map(({ cells }) => cells);
  const x = (/** @type {number} */ moment) => 1 + (width - 2) * (moment - from) / Math.max(1, to - from);
  const lanes = { feed: em * 0.8, sleep: em * 1.6, diaper: em * 3.9 };
  const height = em * 5.8;
  const r = Math.min(em * 0.34, Math.max(3, width / 110));
  const head = [say("charts.column_time"), say("charts.column_what")];
  return html`<${Chart} title=${title} summary=${summary} head=${head} rows=${rows} boxRef=${ref} isQuiet>
    ${width > 0 && html`<svg class="ribbon" role="img" aria-label=${`${title}: ${summary}`}
      width=${width} height=${height} viewBox=${`0 0 ${width} ${height}`}>
      <rect class="track" x="0" width=${width} y=${lanes.sleep} height=${em * 1.5} rx="6" />
      ${hoursBetween(from, to, zone, width > em * 34 ? 3 : 6).map(({ moment, hour }) => html`<g class="grid">
        <line x1=${x(moment)} x2=${x(moment)} y1=${lanes.sleep} y2=${lanes.sleep + em * 1.5} />
        <text x=${Math.min(Math.max(x(moment), em * 1.2), width - em * 1.2)} y=${height - em * 0.3}
          text-anchor="middle">${hourText(hour)}</text>
      </g>`)}
      ${sleeps.map(({ start, end, type, running }) => html`<rect
        class=${`sleep ${type === "nap" ? "nap" : ""} ${running ? "goes-on" : ""}`}
        x=${x(start)} width=${Math.max(2, x(end) - x(start))} y=${lanes.sleep} height=${em * 1.5} rx="4" />`)}
      ${feeds.map(({ start, type }) => html`<circle class=${`feed ${type}`} cx=${x(start)} cy=${lanes.feed} r=${r} />`)}
      ${diapers.map(({ start, type }) => html`<path class=${`diaper ${type}`}
        d=${diamond(x(start), lanes.diaper, r * 1.15)} />`)}
      ${now >= from && now < to && html`<line class="now" x1=${x(now)} x2=${x(now)} y1=${em * 0.2} y2=${em * 4.5} />`}
    </svg>
    <ul class="chart-key">${[
      [say("kind.feeding"), html`<circle class="feed" cx=${em / 2} cy=${em / 2} r=${em * 0.34} />`],
      [say("kind.sleep"), html`<rect class="sleep" x="0" y=${em * 0.2} width=${em} height=${em * 0.6} rx="3" />`],
      [say("kind.diaper"), html`<path class="diaper" d=${diamond(em / 2, em / 2, em * 0.4)} />`],
    ].map(([name, mark]) => html`<li>
      <svg width=${em} height=${em} aria-hidden="true">${mark}</svg>${name}</li>`)}</ul>`}
  <//>`;
}

/** @param {number} x @param {number} y @param {number} r */
const diamond = (x, y, r) => `M${x} ${y - r}L${x + r} ${y}L${x} ${y + r}L${x - r} ${y}Z`;
