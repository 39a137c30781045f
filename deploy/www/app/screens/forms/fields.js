// What is asked about each kind of event. The same for logging and for editing; `value` holds the event's own fields.

import { html, useState } from "../../vendor/preact.js";
import { say } from "../../words.js";
import { Choice, Field } from "../../parts/ui.js";
import { phrase } from "../../parts/text.js";
import { fetched } from "../../parts/fetched.js";
import { boundsOf } from "../../parts/missing.js";
import { Amount, Measure } from "../../parts/numbers.js";
import { Measurement, Temperature } from "./measures.js";
import { Activity, Medication } from "./named.js";
import { choices } from "./words.js";

/** @template {KindName} Kind @typedef {import("./words.js").Props<Kind>} Props */
/** @template {KindName} Kind @typedef {import("../../store/types").Fields<Kind>} Of */
/** @typedef {import("../../types/api").KindName} KindName */
/** @typedef {number | null} Kept what a field of numbers gives */

/** @param {Props<"feeding">} props */
function Feeding({ value, set, lastSide }) {
  return html`
    <${Choice} label=${say("forms.kind_of_feed")} hidden kind="segments" options=${choices("feeding", "type")} value=${value.type} onChange=${(/** @type {Of<"feeding">["type"]} */ type) => set({ type })} />
    ${value.type === "breast" &&
    html`<${Choice} label=${say("forms.side")} options=${choices("feeding", "side")} value=${value.side} onChange=${(/** @type {Of<"feeding">["side"]} */ side) => set({ side })} />
    ${lastSide && html`<p class="hint">${say("forms.last_time", { side: phrase("side", lastSide) })}</p>`}
    ${(value.left_minutes != null || value.right_minutes != null) && html`<${Minutes} value=${value} set=${set} />`}`}
    ${value.type === "bottle" &&
    html`
      <${Amount} label=${say("common.amount")} value=${value.amount_ml} onChange=${(/** @type {Kept} */ amount_ml) => set({ amount_ml })} />
      <${Choice} label=${say("forms.content")} options=${choices("feeding", "content")} value=${value.content} onChange=${(/** @type {Of<"feeding">["content"]} */ content) => set({ content })} />
    `}
    ${value.type === "solid" &&
    html`<${Field} label=${say("forms.food")} value=${value.food ?? ""} maxlength="200" autocomplete="off" onInput=${(/** @type {any} */ event) => set({ food: event.target.value || null })} />`}
  `;
}

/**
 * Of a feed that was clocked, to be put right.
 * @param {Pick<Props<"feeding">, "value" | "set">} props
 */
const Minutes = ({ value, set }) => html`
  <div class="pair">
    <${Measure} label=${say("word.side.left")} unit=${say("unit.name.min")} factor=${1} digits=${0} kept=${0} within=${boundsOf("feeding", "left_minutes")} value=${value.left_minutes}
      onChange=${(/** @type {Kept} */ left_minutes) => set({ left_minutes })} />
    <${Measure} label=${say("word.side.right")} unit=${say("unit.name.min")} factor=${1} digits=${0} kept=${0} within=${boundsOf("feeding", "right_minutes")} value=${value.right_minutes}
      onChange=${(/** @type {Kept} */ right_minutes) => set({ right_minutes })} />
  </div>
`;

/** @param {Props<"diaper">} props */
function Diaper({ value, set }) {
  const soiled = value.type === "dirty" || value.type === "mixed";
  return html`
    <${Choice} label=${say("forms.kind_of_diaper")} hidden kind="tiles" options=${choices("diaper", "type")} value=${value.type} onChange=${(/** @type {Of<"diaper">["type"]} */ type) => set({ type })} />
    ${(soiled || value.color) &&
    html`<${Choice} label=${say("forms.color")} value=${value.color ?? ""} onChange=${(/** @type {Of<"diaper">["color"]} */ color) => set({ color: color || null })}
      options=${[["", say("forms.not_said")], ...choices("diaper", "color")]} />`}
  `;
}

/** @param {Props<"sleep">} props */
const Sleep = ({ value, set }) => html`
  <${Choice} label=${say("forms.kind_of_sleep")} hidden kind="segments" options=${choices("sleep", "type")} value=${value.type} onChange=${(/** @type {Of<"sleep">["type"]} */ type) => set({ type })} />
`;

/** What there is of pumped milk. */
const Stash = fetched(() => import("../../parts/stash.js").then((module) => module.Stash));

/** @param {Props<"pumping">} props */
const Pumping = ({ value, set, isClocked }) => html`
  ${isClocked
    ? html`<p class="hint">${say("forms.amount_at_stop")}</p>`
    : html`<${Amount} label=${say("common.amount")} most=${boundsOf("pumping", "amount_ml").most} value=${value.amount_ml} onChange=${(/** @type {Kept} */ amount_ml) => set({ amount_ml })} />`}
  <${Choice} label=${say("forms.side")} options=${choices("pumping", "side")} value=${value.side} onChange=${(/** @type {Of<"pumping">["side"]} */ side) => set({ side })} />
  <${Stash} />
`;

/** @param {Props<"note">} props */
const Note = ({ value, set }) => html`
  <${Field} label=${say("kind.note")} multiline value=${value.content ?? ""} maxlength="5000" onInput=${(/** @type {any} */ event) => set({ content: event.target.value })} />
  <label class="check">
    <input type="checkbox" checked=${value.for_doctor === true} onChange=${(/** @type {any} */ event) => set({ for_doctor: event.target.checked })} />
    <span>${say("forms.for_doctor")}</span>
  </label>
`;

/** @param {Props<"discard">} props */
const Discard = ({ value, set }) => html`
  <${Amount} label=${say("common.amount")} most=${boundsOf("discard", "amount_ml").most} value=${value.amount_ml} onChange=${(/** @type {Kept} */ amount_ml) => set({ amount_ml })} />
  <${Stash} />
`;

/** @type {{[Kind in KindName]: (props: Props<Kind>) => any}} */
const forms = {
  feeding: Feeding, diaper: Diaper, sleep: Sleep, note: Note, pumping: Pumping, measurement: Measurement,
  temperature: Temperature, medication: Medication, activity: Activity, discard: Discard,
};

/** @param {any} props */
export function Fields({ type, value, set, isClocked = false, lastSide = "" }) {
  const [hasNote, setNote] = useState(Boolean(value.notes));
  const onInput = (/** @type {any} */ event) => set({ notes: event.target.value || null });
  return html`
    <${forms[/** @type {"note"} */ (type)]} value=${value} set=${set} isClocked=${isClocked} lastSide=${lastSide} />
    ${type !== "note" &&
    (hasNote
      ? html`<${Field} label=${say("forms.remark")} multiline value=${value.notes ?? ""} maxlength="2000" onInput=${onInput} />`
      : html`<button type="button" class="link" onClick=${() => setNote(true)}>${say("forms.add_remark")}</button>`)}
  `;
}
