// Numbers in the device's units; what is kept is metric, or NaN while what was typed isn't clear.

import { html } from "../vendor/preact.js";
import { say } from "../words.js";
import { readNumber } from "../model/numbers.js";
import { numberIn } from "../store/locale.js";
import { amount, fromMl, isUS, POUND, toMl, volumeUnit, weight } from "./format.js";
import { Icon } from "./icons.js";
import { clearOf, NumberField, Understood, useTyped, WhichOne } from "./typed.js";

/**
 * A number in the device's unit, with a step for the thumb.
 * @param {{label: string, value: any, onChange: (ml: number | null) => void, most?: number}} props
 */
export function Amount({ label, value, onChange, most = 1000 }) {
  const step = isUS("volume") ? 0.5 : 10;
  const isUnclear = Number.isNaN(value);
  const theirs = value == null || isUnclear ? 0 : fromMl(value);
  const shown = value == null || isUnclear ? "" : numberIn(theirs);
  const inMl = (/** @type {number} */ number) => Math.round(toMl(number) * 10) / 10;
  const set = (/** @type {number | null} */ number) => {
    const ml = number === null ? null : inMl(number);
    const kept = ml === 0 ? null : ml;
    onChange(kept);
    return kept;
  };
  const read = (/** @type {string} */ text) => readNumber(text, 0, fromMl(most));
  const said = (/** @type {number} */ number) => amount(inMl(number));
  const { typed: [text], input } = useTyped(value ?? null, [shown], ([text]) => set(clearOf(read(text), text)));
  const move = (/** @type {number} */ by) => set(Math.min(fromMl(most), Math.max(0, theirs + by)));
  return html`
    <${NumberField} kind="amount" label=${say("numbers.with_unit", { label, unit: volumeUnit() })} isUnclear=${isUnclear} input=${input()}
      before=${html`<button type="button" aria-label=${say("numbers.less")} onClick=${() => move(-step)}><${Icon} name="minus" /></button>`}
      after=${html`<button type="button" aria-label=${say("numbers.more")} onClick=${() => move(step)}><${Icon} name="plus" /></button>`}>
      <${Understood} ...${{ text, shown, said }} found=${read(text)} />
    <//>
    <${WhichOne} ...${{ text, said }} found=${read(text)} onChoose=${set} />
  `;
}

/**
 * A number that is stored in another unit for half of the world: `factor` and `offset` make ours into theirs.
 * @param {{label: string, value: any, onChange: (value: number | null) => void, unit: string, factor: number, offset?: number,
 *   digits: number, kept: number, within: import("./missing.js").Bounds}} props
 */
export function Measure({ label, value, onChange, unit, factor, offset = 0, digits, kept, within: { least, most, text } }) {
  const theirs = (/** @type {number} */ ours) => ours * factor + offset;
  const ours = (/** @type {number} */ theirs) => Number(((theirs - offset) / factor).toFixed(kept));
  const isUnclear = Number.isNaN(value);
  const shown = value == null || isUnclear ? "" : numberIn(theirs(value), digits);
  const set = (/** @type {number | null} */ number) => {
    const value = number === null ? null : ours(number);
    onChange(value);
    return value;
  };
  const read = (/** @type {string} */ text) => readNumber(text, theirs(least), theirs(most));
  const said = (/** @type {number} */ number) => text(ours(number));
  const { typed: [typed], input } = useTyped(value ?? null, [shown], ([text]) => set(clearOf(read(text), text)));
  return html`
    <${NumberField} label=${say("numbers.with_unit", { label, unit })} isUnclear=${isUnclear} input=${input()}>
      <${Understood} text=${typed} shown=${shown} found=${read(typed)} said=${said} />
    <//>
    <${WhichOne} text=${typed} found=${read(typed)} said=${said} onChoose=${set} />
  `;
}

/**
 * Pounds and ounces in one: what scales show and nurses say. Thousands of neither are a child's.
 * @param {{value: any, onChange: (grams: number | null) => void}} props
 */
export function Pounds({ value, onChange }) {
  const isUnclear = Number.isNaN(value);
  const all = value == null || isUnclear ? null : Math.round((value / POUND) * 160) / 10;
  const shown = all == null ? ["", ""] : [String(Math.floor(all / 16)), numberIn(all % 16)];
  const read = (/** @type {string} */ text) => readNumber(text, 0, 999).slice(0, 1);
  const { typed, input } = useTyped(value ?? null, shown, (texts) => {
    const [lb, oz] = texts.map((text) => clearOf(read(text), text));
    const grams = lb === null && oz === null ? null : Math.round((Number(lb) + Number(oz) / 16) * POUND);
    onChange(grams);
    return grams;
  });
  const said = () => (isUnclear ? say("numbers.understood") : weight(value));
  const field = (/** @type {number} */ place, /** @type {string} */ label) => {
    const text = typed[place];
    const found = read(text);
    return html`
      <${NumberField} label=${label} isUnclear=${Number.isNaN(clearOf(found, text))} input=${input(place)}>
        <${Understood} ...${{ text, found, said }} shown=${found.length ? numberIn(found[0], 3) : ""} />
      <//>`;
  };
  return html`<div class="pair">${field(0, say("numbers.pounds"))}${field(1, say("numbers.ounces"))}</div>`;
}
