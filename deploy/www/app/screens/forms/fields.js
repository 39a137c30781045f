// What is asked about each kind of event. The same for logging and for editing; `value` holds the event's own fields.

import { html, useState } from "../../vendor/preact.js";
import { isUS } from "../../parts/format.js";
import { Choice, Field } from "../../parts/ui.js";
import { say } from "../../text.js";
import { useLately } from "./lately.js";
import { bounds, MOST_PUMPED } from "./missing.js";
import { Amount, Measure, Pounds } from "./numbers.js";

/** @param {string[]} all @returns {[string, string][]} */
const choices = (...all) => all.map((word) => [word, say(word)]);

/** @param {any} props */
function Feeding({ value, set, lastSide }) {
  return html`
    <${Choice} label="Kind of feed" hidden kind="segments" options=${choices("breast", "bottle", "solid")} value=${value.type} onChange=${(/** @type {string} */ type) => set({ type })} />
    ${value.type === "breast" &&
    html`<${Choice} label="Side" options=${choices("left", "right", "both")} value=${value.side} onChange=${(/** @type {string} */ side) => set({ side })} />
    ${lastSide && html`<p class="hint">Last time: ${say(lastSide).toLowerCase()}</p>`}`}
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
const Pumping = ({ value, set, isClocked }) => html`
  ${isClocked
    ? html`<p class="hint">How much it was is asked when you stop the clock.</p>`
    : html`<${Amount} label="Amount" most=${MOST_PUMPED} value=${value.amount_ml} onChange=${(/** @type {any} */ amount_ml) => set({ amount_ml })} />`}
  <${Choice} label="Side" options=${choices("left", "right", "both")} value=${value.side} onChange=${(/** @type {string} */ side) => set({ side })} />
`;

/** @param {any} props */
function Measurement({ value, set }) {
  const length = isUS("length") ? { unit: "in", factor: 1 / 2.54, digits: 2, kept: 1 } : { unit: "cm", factor: 1, digits: 1, kept: 1 };
  const weigh = (/** @type {any} */ weight_g) => set({ weight_g });
  return html`
    ${isUS("weight")
      ? html`<${Pounds} value=${value.weight_g} onChange=${weigh} />`
      : html`<${Measure} label="Weight" unit="kg" factor=${0.001} digits=${3} kept=${0} within=${bounds.weight_g} value=${value.weight_g} onChange=${weigh} />`}
    <${Measure} label="Length" ...${length} within=${bounds.length_cm} value=${value.length_cm} onChange=${(/** @type {any} */ length_cm) => set({ length_cm })} />
    <${Measure} label="Head" ...${length} within=${bounds.head_cm} value=${value.head_cm} onChange=${(/** @type {any} */ head_cm) => set({ head_cm })} />
  `;
}

/** @param {any} props */
function Temperature({ value, set }) {
  const degrees = isUS("temperature") ? { unit: "°F", factor: 1.8, offset: 32 } : { unit: "°C", factor: 1 };
  return html`
    <${Measure} label="Temperature" ...${degrees} digits=${1} kept=${1} within=${bounds.celsius} value=${value.celsius} onChange=${(/** @type {any} */ celsius) => set({ celsius })} />
    <${Choice} label="Taken" options=${choices("rectal", "oral", "ear", "forehead", "armpit")} value=${value.site} onChange=${(/** @type {string} */ site) => set({ site })} />
  `;
}

/** @param {any} props */
function Medication({ value, set }) {
  const lately = useLately("medication");
  const chosen = lately.find((one) => one.name === value.name?.trim());
  return html`
    ${lately.length > 0 &&
    html`<${Choice} label="Given lately" options=${lately.map(({ name }) => [name, name])} value=${chosen?.name}
      onChange=${(/** @type {string} */ name) => set({ name, dose: lately.find((one) => one.name === name)?.dose ?? null })} />`}
    <${Field} label="Medicine" value=${value.name ?? ""} maxlength="100" autocomplete="off" onInput=${(/** @type {any} */ event) => set({ name: event.target.value })} />
    <${Field} label="Dose" hint="As you’d write it: 2.5 ml" value=${value.dose ?? ""} maxlength="50" autocomplete="off" onInput=${(/** @type {any} */ event) => set({ dose: event.target.value || null })} />
  `;
}

const common = ["Tummy time", "Bath", "Walk", "Play"];
const OFFERED = 6;

/**
 * What this family does, and where that is little yet, what others do.
 * @param {any} props
 */
function Activity({ value, set }) {
  const lately = useLately("activity").map(({ name }) => name);
  const known = new Set(lately.map((name) => name.toLowerCase()));
  const offered = [...lately, ...common.filter((name) => !known.has(name.toLowerCase()))].slice(0, OFFERED);
  return html`
    <${Choice} label="Often" options=${offered.map((name) => [name, name])} value=${value.name} onChange=${(/** @type {string} */ name) => set({ name })} />
    <${Field} label="What" value=${value.name ?? ""} maxlength="60" autocomplete="off" onInput=${(/** @type {any} */ event) => set({ name: event.target.value })} />
  `;
}

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
export function Fields({ type, value, set, isClocked = false, lastSide = "" }) {
  const [hasNote, setNote] = useState(Boolean(value.notes));
  const onInput = (/** @type {any} */ event) => set({ notes: event.target.value || null });
  return html`
    <${forms[type]} value=${value} set=${set} isClocked=${isClocked} lastSide=${lastSide} />
    ${type !== "note" &&
    (hasNote
      ? html`<${Field} label="Remark" multiline value=${value.notes ?? ""} maxlength="2000" onInput=${onInput} />`
      : html`<button type="button" class="link" onClick=${() => setNote(true)}>Add a remark</button>`)}
  `;
}
