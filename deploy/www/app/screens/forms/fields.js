// What is asked about each kind of event. The same for logging and for editing; `value` holds the event's own fields.

import { html, useState } from "../../vendor/preact.js";
import { fromMl, isUS, toMl, volumeUnit } from "../../parts/format.js";
import { Icon } from "../../parts/icons.js";
import { Choice, Field, useId } from "../../parts/ui.js";
import { say } from "../../text.js";

/** @param {string[]} all @returns {[string, string][]} */
const choices = (...all) => all.map((word) => [word, say(word)]);

/**
 * A number in the device's unit, with a step for the thumb.
 * @param {any} props
 */
export function Amount({ label, value, onChange, most = 1000 }) {
  const id = useId();
  const step = isUS() ? 0.5 : 10;
  const shown = value == null ? "" : String(fromMl(value));
  const set = (/** @type {number} */ number) => onChange(number > 0 ? Math.min(most, Math.round(toMl(number) * 10) / 10) : null);
  return html`
    <div class="field amount">
      <label for=${id}>${label} (${volumeUnit()})</label>
      <div>
        <button type="button" aria-label="Less" onClick=${() => set(Number(shown) - step)}><${Icon} name="minus" /></button>
        <input id=${id} type="number" inputmode="decimal" min="0" step="any" value=${shown}
          onChange=${(/** @type {any} */ event) => set(Number(event.target.value))} />
        <button type="button" aria-label="More" onClick=${() => set(Number(shown) + step)}><${Icon} name="plus" /></button>
      </div>
    </div>
  `;
}

/**
 * A number that is stored in another unit for half of the world.
 * @param {any} props
 */
function Measure({ label, value, onChange, metric, us, factor, digits, offset = 0 }) {
  const shown = value == null ? "" : String(Number((isUS() ? value * factor + offset : value / metric[1]).toFixed(digits)));
  const read = (/** @type {any} */ event) => {
    const number = Number(event.target.value);
    if (!event.target.value || !Number.isFinite(number)) return onChange(null);
    onChange(isUS() ? (number - offset) / factor : number * metric[1]);
  };
  return html`<${Field} label=${`${label} (${isUS() ? us : metric[0]})`} type="number" inputmode="decimal" step="any" value=${shown} onChange=${read} />`;
}

/** @param {number | null} value @param {number} digits */
const rounded = (value, digits) => (value === null ? null : Number(value.toFixed(digits)));

/** @param {any} props */
function Feeding({ value, set }) {
  return html`
    <${Choice} label="Kind of feed" hidden kind="segments" options=${choices("breast", "bottle", "solid")} value=${value.type} onChange=${(/** @type {string} */ type) => set({ type })} />
    ${value.type === "breast" &&
    html`<${Choice} label="Side" options=${choices("left", "right", "both")} value=${value.side} onChange=${(/** @type {string} */ side) => set({ side })} />`}
    ${value.type === "bottle" &&
    html`
      <${Amount} label="Amount" value=${value.amount_ml} onChange=${(/** @type {any} */ amount_ml) => set({ amount_ml })} />
      <${Choice} label="What’s in it" options=${choices("breast_milk", "formula", "mixed", "other")} value=${value.content} onChange=${(/** @type {string} */ content) => set({ content })} />
    `}
    ${value.type === "solid" &&
    html`<${Field} label="Food" value=${value.food ?? ""} maxlength="200" autocomplete="off" onInput=${(/** @type {any} */ event) => set({ food: event.target.value || null })} />`}
  `;
}

/** @param {any} props */
function Diaper({ value, set }) {
  const soiled = value.type === "dirty" || value.type === "mixed";
  return html`
    <${Choice} label="Kind of diaper" hidden kind="tiles" options=${choices("wet", "dirty", "mixed", "dry")} value=${value.type} onChange=${(/** @type {string} */ type) => set({ type })} />
    ${(soiled || value.color) &&
    html`<${Choice} label="Color, if it matters" value=${value.color ?? ""} onChange=${(/** @type {string} */ color) => set({ color: color || null })}
      options=${[["", "Not said"], ...choices("yellow", "brown", "green", "black", "red", "white", "other")]} />`}
  `;
}

/** @param {any} props */
const Sleep = ({ value, set }) => html`
  <${Choice} label="Kind of sleep" hidden kind="segments" options=${choices("nap", "night")} value=${value.type} onChange=${(/** @type {string} */ type) => set({ type })} />
`;

/** @param {any} props */
const Pumping = ({ value, set }) => html`
  <${Amount} label="Amount" most=${2000} value=${value.amount_ml} onChange=${(/** @type {any} */ amount_ml) => set({ amount_ml })} />
  <${Choice} label="Side" options=${choices("left", "right", "both")} value=${value.side} onChange=${(/** @type {string} */ side) => set({ side })} />
`;

/** @param {any} props */
const Measurement = ({ value, set }) => html`
  <${Measure} label="Weight" metric=${["kg", 1000]} us="lb" factor=${1 / 453.592} digits=${isUS() ? 2 : 3} value=${value.weight_g}
    onChange=${(/** @type {any} */ weight) => set({ weight_g: rounded(weight, 0) })} />
  <${Measure} label="Length" metric=${["cm", 1]} us="in" factor=${1 / 2.54} digits=${1} value=${value.length_cm}
    onChange=${(/** @type {any} */ length) => set({ length_cm: rounded(length, 1) })} />
  <${Measure} label="Head" metric=${["cm", 1]} us="in" factor=${1 / 2.54} digits=${1} value=${value.head_cm}
    onChange=${(/** @type {any} */ head) => set({ head_cm: rounded(head, 1) })} />
`;

/** @param {any} props */
const Temperature = ({ value, set }) => html`
  <${Measure} label="Temperature" metric=${["°C", 1]} us="°F" factor=${1.8} offset=${32} digits=${1} value=${value.celsius}
    onChange=${(/** @type {any} */ celsius) => set({ celsius: rounded(celsius, 1) })} />
  <${Choice} label="Taken" options=${choices("rectal", "oral", "ear", "forehead", "armpit")} value=${value.site} onChange=${(/** @type {string} */ site) => set({ site })} />
`;

/** @param {any} props */
const Medication = ({ value, set }) => html`
  <${Field} label="Medicine" value=${value.name ?? ""} maxlength="100" autocomplete="off" onInput=${(/** @type {any} */ event) => set({ name: event.target.value })} />
  <${Field} label="Dose" hint="As you’d write it: 2.5 ml" value=${value.dose ?? ""} maxlength="50" autocomplete="off" onInput=${(/** @type {any} */ event) => set({ dose: event.target.value || null })} />
`;

const common = ["Tummy time", "Bath", "Walk", "Play"];
/** @param {any} props */
const Activity = ({ value, set }) => html`
  <${Choice} label="Often" options=${common.map((name) => [name, name])} value=${value.name} onChange=${(/** @type {string} */ name) => set({ name })} />
  <${Field} label="What" value=${value.name ?? ""} maxlength="60" autocomplete="off" onInput=${(/** @type {any} */ event) => set({ name: event.target.value })} />
`;

/** @param {any} props */
const Note = ({ value, set }) => html`
  <${Field} label="Note" multiline value=${value.content ?? ""} maxlength="5000" onInput=${(/** @type {any} */ event) => set({ content: event.target.value })} />
`;

/** @type {Record<string, any>} */
const forms = {
  feeding: Feeding, diaper: Diaper, sleep: Sleep, note: Note, pumping: Pumping, measurement: Measurement,
  temperature: Temperature, medication: Medication, activity: Activity,
};

/** @param {any} props */
export function Fields({ type, value, set }) {
  const [hasNote, setNote] = useState(Boolean(value.notes));
  const onInput = (/** @type {any} */ event) => set({ notes: event.target.value || null });
  return html`
    <${forms[type]} value=${value} set=${set} />
    ${type !== "note" &&
    (hasNote
      ? html`<${Field} label="Remark" multiline value=${value.notes ?? ""} maxlength="2000" onInput=${onInput} />`
      : html`<button type="button" class="link" onClick=${() => setNote(true)}>Add a remark</button>`)}
  `;
}

/**
 * What is still missing before it can be kept; empty if nothing.
 * @param {string} type
 * @param {any} value
 */
export function missing(type, value) {
  if (type === "note" && !value.content?.trim()) return "Write something first.";
  if (type === "measurement" && value.weight_g == null && value.length_cm == null && value.head_cm == null) return "Enter at least one of the three.";
  if (type === "temperature" && value.celsius == null) return "Enter the temperature.";
  if ((type === "medication" || type === "activity") && !value.name?.trim()) return "Say what it was.";
  return "";
}
