// When a child sleeps: one row a day, from the hour at which its day starts to the next.

import { html } from "../vendor/preact.js";
import { inRow, say } from "../words.js";
import { addDays, clockTime } from "../model/days.js";
import { Chart, useSize } from "./frame.js";
import { dateText, durationText, hourText, timeText } from "./words.js";

const DAY = 86_400_000;

/** @typedef {{start: number, end: number, type: string | null, running: boolean}} Part */

/**
 * Where on the clock's 24 hours a moment of a day is, from 0 to 1. Rows are compared by the clock, so that one of 23 or
 * 25 hours keeps its times in line with the others.
 * @param {number} moment @param {[number, number]} day @param {string} zone @param {number} startMinutes of the clock
 */
export function placeOf(moment, [begin, end], zone, startMinutes) {
  if (moment <= begin) return 0;
  if (moment >= end) return 1;
  const since = (clockTime(moment, zone) - startMinutes * 60_000) % DAY;
  return (since + DAY) % DAY / DAY;
}

/**
 * @param {{date: string, edges: number[], sleeps: Part[][], timezone: string, dayStart: string, summary: string}} props
 *   `sleeps` of each day, oldest first; `date` is the last one's
 */
export function SleepPattern({ date, edges, sleeps, timezone, dayStart, summary }) {
  const { ref, width, em } = useSize();
  const title = say("charts.sleep_pattern");
  const count = sleeps.length;
  const dates = sleeps.map((_, place) => addDays(date, place - count + 1));
  const rows = sleeps.map((parts, place) => [
    dateText(dates[place], "long"),
    inRow(parts.map(({ start, end }) => `${timeText(start, timezone)}–${timeText(end, timezone)}`)) || "–",
  ]);
  const [hours, minutes] = dayStart.split(":").map(Number);
  const startMinutes = hours * 60 + minutes;
  const left = em * 4.4;
  const pitch = Math.max(4, Math.min(em * 1.5, em * 24 / count));
  const above = em * 1.6;
  const height = Math.ceil(above + pitch * count + 2);
  const thick = Math.max(2, pitch - (pitch > 10 ? 3 : 1));
  const x = (/** @type {number} */ part) => left + part * (width - left - 1);
  const step = width > em * 34 ? 3 : 6;
  const named = Math.max(1, Math.ceil(em * 1.3 / pitch));
  const hourMarks = Array.from({ length: 24 / step }, (_, place) => (Math.ceil(hours / step) + place) * step);
  const head = [say("charts.column_day"), say("charts.asleep")];
  return html`<${Chart} title=${title} summary=${summary} head=${head} rows=${rows} boxRef=${ref}>
    ${width > 0 && html`<svg class="pattern" role="img" aria-label=${`${title}. ${summary}`}
      width=${width} height=${height} viewBox=${`0 0 ${width} ${height}`}>
      ${hourMarks.map((hour) => {
        const at = x(((hour * 60 - startMinutes + 2880) % 1440) / 1440);
        return html`<g class="grid"><line x1=${at} x2=${at} y1=${above - 3} y2=${height} />
          <text x=${Math.min(Math.max(at, left + em), width - em * 1.2)} y=${em}
            text-anchor="middle">${hourText(hour)}</text></g>`;
      })}
      ${sleeps.map((parts, place) => {
        const y = above + place * pitch;
        const day = /** @type {[number, number]} */ ([edges[place], edges[place + 1]]);
        return html`<g>
          ${(count - 1 - place) % named === 0 && html`<text class="label" text-anchor="end"
            x=${left - em * 0.5} y=${y + pitch / 2 + em * 0.3}>${dateText(dates[place], "day")}</text>`}
          <rect class="track" x=${left} width=${Math.max(0, width - left)} y=${y} height=${thick} />
          ${parts.map((part) => {
            const from = placeOf(part.start, day, timezone, startMinutes);
            const to = placeOf(part.end, day, timezone, startMinutes);
            return html`<rect class=${part.type === "nap" ? "sleep nap" : "sleep"} rx=${Math.min(3, pitch / 4)}
              x=${x(from)} width=${Math.max(1.5, x(to) - x(from))} y=${y} height=${thick}>
              <title>${words(part, timezone)}</title>
            </rect>`;
          })}
        </g>`;
      })}
    </svg>`}
  <//>`;
}

/** @param {Part} part @param {string} zone */
const words = ({ start, end }, zone) =>
  inRow([`${timeText(start, zone)}–${timeText(end, zone)}`, durationText(Math.floor((end - start) / 60_000))]);
