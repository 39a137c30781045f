// One bar a day, of one value or of several on top of each other.

import { html, useState } from "../vendor/preact.js";
import { inRow, say } from "../words.js";
import { Chart, ticksTo, useSize } from "./frame.js";
import { dateText } from "./words.js";

/** @typedef {{date: string, value: number | null, parts?: number[]}} Day `parts` add up to the value */

/**
 * `text` says a value in words; `axis` on the axis. A null value is a day before anything was logged. `names` are of
 * the parts; `partText` says a value of one.
 * @param {{title: string, summary: string, unit: string, kind: string, days: Day[], names?: string[],
 *   partText?: (place: number, value: number) => string, text: (value: number) => string,
 *   axis: (value: number) => string, step?: number}} props
 */
export function Bars({ title, summary, unit, kind, days, text, axis, step, names = [], partText = () => "" }) {
  const { ref, width, em } = useSize();
  const [picked, pick] = useState(/** @type {number | null} */ (null));
  const said = (/** @type {number | null} */ value) => value === null ? "–" : text(value);
  const rows = days.map(({ date, value, parts }) =>
    [dateText(date, "long"), said(value), ...names.map((_, at) => said(value === null ? null : parts?.[at] ?? 0))]);
  const plot = width > 0 && picture({ width, em, days, axis, step, kind, picked });
  const pickAt = (/** @type {PointerEvent} */ event) => {
    if (!plot) return;
    const box = /** @type {Element} */ (event.currentTarget).getBoundingClientRect();
    const place = Math.floor((event.clientX - box.left - plot.left) / plot.slot);
    pick(place >= 0 && place < days.length ? place : null);
  };
  const about = (/** @type {Day} */ { date, value, parts = [] }) => {
    const each = parts.flatMap((part, place) => (part ? partText(place, part) : []));
    const [day, sum] = [dateText(date, "long"), said(value)];
    return each.length ? say("charts.day_of_parts", { date: day, value: sum, parts: inRow(each) })
      : say("charts.day", { date: day, value: sum });
  };
  const shown = picked === null ? summary : about(days[picked]);
  return html`<${Chart} title=${title} summary=${shown} head=${[say("charts.column_day"), unit, ...names]} rows=${rows} boxRef=${ref}>
    ${plot && html`<svg class=${`bars ${kind}`} role="img" aria-label=${`${title}. ${summary}`}
      width=${width} height=${plot.height} viewBox=${`0 0 ${width} ${plot.height}`}
      onPointerDown=${pickAt} onPointerMove=${pickAt} onPointerLeave=${() => pick(null)}>
      ${plot.marks}
    </svg>
    ${names.length > 0 && html`<ul class=${`chart-key ${kind}`}>${names.map((name, place) => html`<li>
      <svg width=${em} height=${em} aria-hidden="true">
        <rect class=${`part p${place}`} x="1" y="1" width=${em - 2} height=${em - 2} />
      </svg>${name}</li>`)}</ul>`}`}
  <//>`;
}

/**
 * @param {{width: number, em: number, days: Day[], axis: (value: number) => string,
 *   step?: number, kind: string, picked: number | null}} asked
 */
function picture({ width, em, days, axis, step, picked }) {
  const largest = Math.max(...days.map(({ value }) => value ?? 0));
  const ticks = step ? everyStep(largest, step) : ticksTo(largest);
  const top = ticks[ticks.length - 1];
  const left = Math.ceil(Math.max(...ticks.map((tick) => axis(tick).length)) * em * 0.5 + em * 0.6);
  const height = Math.round(em * 11);
  const above = em * 0.7;
  const floor = height - em * 1.6;
  const slot = (width - left - 1) / days.length;
  const gap = slot > 6 ? Math.min(slot * 0.3, em * 0.6) : slot * 0.15;
  const y = (/** @type {number} */ value) => floor - (value / top) * (floor - above);
  const marks = [
    ...ticks.map((tick) => html`<g class="grid">
      <line x1=${left} x2=${width} y1=${y(tick)} y2=${y(tick)} />
      <text x=${left - em * 0.4} y=${y(tick) + em * 0.3} text-anchor="end">${axis(tick)}</text>
    </g>`),
    ...days.map(({ value }, place) => value !== null && value > 0 && html`<rect
      class=${place === days.length - 1 ? "column unfinished" : "column"} data-picked=${place === picked}
      x=${left + place * slot + gap / 2} width=${Math.max(1, slot - gap)} y=${y(value)} height=${floor - y(value)}
      rx=${Math.min(3, slot / 4)} />`),
    ...days.flatMap(({ parts = [] }, place) => parts.map((part, index) => {
      const below = parts.slice(0, index).reduce((sum, one) => sum + one, 0);
      return part > 0 && html`<rect class=${`part p${index}`} x=${left + place * slot + gap / 2}
        width=${Math.max(1, slot - gap)} y=${y(below + part)} height=${y(below) - y(below + part)} />`;
    })),
    ...labelsOf(days, slot, em).map(({ place, text }) => html`<text class="label" y=${height - em * 0.4}
      x=${Math.min(left + (place + 0.5) * slot, width - text.length * em * 0.24)} text-anchor="middle">${text}</text>`),
  ];
  return { left, slot, height, marks };
}

/** @param {number} largest @param {number} step */
function everyStep(largest, step) {
  const wide = step * Math.max(1, Math.ceil(largest / step / 5));
  return Array.from({ length: Math.max(1, Math.ceil(largest / wide)) + 1 }, (_, place) => place * wide);
}

/**
 * Which days are named below: each of a week, else as many dates as have room, counted back from the last.
 * @param {{date: string}[]} days @param {number} slot @param {number} em
 */
function labelsOf(days, slot, em) {
  const form = days.length <= 7 && slot > em * 2 ? "weekday" : "day";
  const every = Math.max(1, Math.ceil((form === "weekday" ? em * 2 : em * 4.2) / slot));
  // Where a short name of a day is a word, as in Arabic, its letter stands below, as on the language's calendars.
  const isWord = form === "weekday" && days.some(({ date }) => dateText(date, form).length > 4);
  return days.map(({ date }, place) => ({ place, text: dateText(date, isWord ? "initial" : form) }))
    .filter(({ place }) => (days.length - 1 - place) % every === 0 && (place + 0.5) * slot > em);
}
