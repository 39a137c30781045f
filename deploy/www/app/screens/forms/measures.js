// Growth and temperature, in the device's units.

import { html } from "../../vendor/preact.js";
import { say } from "../../words.js";
import { isUS } from "../../parts/format.js";
import { boundsOf } from "../../parts/missing.js";
import { Measure, Pounds } from "../../parts/numbers.js";
import { Choice } from "../../parts/ui.js";
import { choices } from "./words.js";

/** @template {import("../../types/api").KindName} Kind @typedef {import("./words.js").Props<Kind>} Props */
/** @typedef {number | null} Kept */

/** @param {Props<"measurement">} props */
export function Measurement({ value, set }) {
  const length = isUS("length") ? { unit: say("unit.name.in"), factor: 1 / 2.54, digits: 2, kept: 1 }
    : { unit: say("unit.name.cm"), factor: 1, digits: 1, kept: 1 };
  const weigh = (/** @type {Kept} */ weight_g) => set({ weight_g });
  return html`
    ${isUS("weight")
      ? html`<${Pounds} value=${value.weight_g} onChange=${weigh} />`
      : html`<${Measure} label=${say("growth.weight")} unit=${say("unit.name.kg")} factor=${0.001} digits=${3} kept=${0} within=${boundsOf("measurement", "weight_g")} value=${value.weight_g} onChange=${weigh} />`}
    <${Measure} label=${say("growth.length")} ...${length} within=${boundsOf("measurement", "length_cm")} value=${value.length_cm} onChange=${(/** @type {Kept} */ length_cm) => set({ length_cm })} />
    <${Measure} label=${say("growth.head")} ...${length} within=${boundsOf("measurement", "head_cm")} value=${value.head_cm} onChange=${(/** @type {Kept} */ head_cm) => set({ head_cm })} />
  `;
}

/** @param {Props<"temperature">} props */
export function Temperature({ value, set }) {
  const degrees = isUS("temperature") ? { unit: say("unit.name.fahrenheit"), factor: 1.8, offset: 32 }
    : { unit: say("unit.name.celsius"), factor: 1 };
  return html`
    <${Measure} label=${say("kind.temperature")} ...${degrees} digits=${1} kept=${1} within=${boundsOf("temperature", "celsius")} value=${value.celsius} onChange=${(/** @type {Kept} */ celsius) => set({ celsius })} />
    <${Choice} label=${say("forms.taken")} options=${choices("temperature", "site")} value=${value.site} onChange=${(/** @type {Props<"temperature">["value"]["site"]} */ site) => set({ site })} />
  `;
}
