// A child's measurements among the curves of the WHO standard.

import { html } from "../vendor/preact.js";
import { say } from "../words.js";
import { CURVES, lmsAt, valueAt } from "../model/growth.js";
import { Chart, useSize } from "./frame.js";
import { ageText, numberText, percentileText, signedText } from "./words.js";

/** @typedef {import("../model/growth.js").Point} Point */

const MONTH = 365.25 / 12;
/** How far the axis goes, in months, and how far its marks are apart. */
const SPANS = [[6, 1], [12, 2], [24, 4], [36, 6], [60, 12]];
/** @type {Record<import("../model/growth.js").Measure, import("../words.js").Id>} */
const FOR_AGE = { weight: "growth.weight_for_age", length: "growth.length_for_age", head: "growth.head_for_age" };

/**
 * `shown` makes the device's unit of a value, `text` says it. The screen lists the points: that is this picture's
 * table.
 * @param {{title: string, unit: string, measure: import("../model/growth.js").Measure,
 *   sex: import("../model/growth.js").Sex, standard: import("../model/growth.js").Standard, points: Point[],
 *   age: number, shown: (value: number) => number, text: (value: number) => string}} props
 */
export function GrowthChart({ title, unit, measure, sex, standard, points, age, shown, text }) {
  const { ref, width, em } = useSize();
  const last = points[points.length - 1];
  const summary = !last ? say("growth.none_yet")
    : say("growth.last", { value: text(last.value), age: ageText(last.day), standing: standing(last) });
  const marks = width > 0 && picture({ width, em, measure, sex, standard, points, age, shown });
  return html`<${Chart} title=${`${title}, ${unit}`} summary=${summary} boxRef=${ref}>
    ${marks && html`<svg class="growth" role="img" aria-label=${`${say(FOR_AGE[measure])}. ${summary}`}
      width=${width} height=${marks.height} viewBox=${`0 0 ${width} ${marks.height}`}>${marks.parts}</svg>`}
  <//>`;
}

/** @param {Point} point */
export function standing({ percentile, z, day }) {
  if (percentile === null || z === null) {
    return day < 0 ? say("growth.no_standard_before_due") : say("growth.no_standard_after_5");
  }
  return say("growth.standing", { percentile: percentileText(percentile), z: signedText(z) });
}

/** @param {any} asked */
function picture({ width, em, measure, sex, standard, points, age, shown }) {
  const drawn = points.filter((/** @type {Point} */ { z }) => z !== null);
  const reach = Math.max(age, ...drawn.map((/** @type {Point} */ { day }) => day)) / MONTH;
  const [months, step] = SPANS.find(([span]) => reach <= span) ?? SPANS[SPANS.length - 1];
  const end = Math.min(months * MONTH, standard.days - 1);
  const curves = CURVES.map(({ name, z }) => ({
    name,
    line: Array.from({ length: 61 }, (_, place) => {
      const day = end * place / 60;
      return [day, shown(valueAt(/** @type {any} */ (lmsAt(standard, sex, measure, day)), z))];
    }),
  }));
  const values = [...curves[0].line, ...curves[curves.length - 1].line].map(([, value]) => value)
    .concat(drawn.map((/** @type {Point} */ { value }) => shown(value)));
  const ticks = ticksBetween(Math.min(...values), Math.max(...values), 6);
  const [low, high] = [ticks[0], ticks[ticks.length - 1]];
  const height = Math.round(Math.min(width * 0.95, em * 24));
  const [left, right, above, floor] = [em * 2.1, width - em * 2.1, em * 0.8, height - em * 2.6];
  const x = (/** @type {number} */ day) => left + (right - left) * day / end;
  const y = (/** @type {number} */ value) => floor - (floor - above) * (value - low) / (high - low);
  const path = (/** @type {number[][]} */ line) => line
    .map(([day, value], place) => `${place ? "L" : "M"}${x(day).toFixed(1)} ${y(value).toFixed(1)}`).join("");
  const own = drawn.map((/** @type {Point} */ { day, value }) => [day, shown(value)]);
  const parts = [
    ...ticks.map((tick) => html`<g class="grid"><line x1=${left} x2=${right} y1=${y(tick)} y2=${y(tick)} />
      <text x=${left - em * 0.4} y=${y(tick) + em * 0.3} text-anchor="end">${numberText(tick, 1)}</text></g>`),
    ...Array.from({ length: months / step + 1 }, (_, place) => place * step).map((month) => html`<g class="grid">
      <line x1=${x(Math.min(month * MONTH, end))} x2=${x(Math.min(month * MONTH, end))} y1=${above} y2=${floor} />
      <text x=${x(Math.min(month * MONTH, end))} y=${floor + em * 1.1} text-anchor="middle">${month}</text></g>`),
    html`<text x=${(left + right) / 2} y=${height - em * 0.4} text-anchor="middle">${say("growth.age_in_months")}</text>`,
    ...curves.map(({ name, line }) => html`<path class=${`curve ${name}`} d=${path(line)} />
      <text x=${right + em * 0.25} y=${y(line[60][1]) + em * 0.3}>${name}</text>`),
    own.length > 1 && html`<path class="path" d=${path(own)} />`,
    ...own.map((/** @type {number[]} */ [day, value]) => html`<circle class="point"
      cx=${x(day)} cy=${y(value)} r=${em * 0.3} />`),
  ];
  return { height, parts };
}

/**
 * Round numbers from at most `low` to at least `high`.
 * @param {number} low @param {number} high @param {number} count
 */
export function ticksBetween(low, high, count) {
  const rough = (high - low) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((times) => times * power).find((candidate) => candidate >= rough) ?? 10 * power;
  const first = Math.floor(low / step);
  const lastOne = Math.ceil(high / step);
  return Array.from({ length: lastOne - first + 1 }, (_, place) => Number(((first + place) * step).toPrecision(12)));
}
