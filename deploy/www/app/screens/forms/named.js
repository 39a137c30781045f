// What has a name: the family's own names are offered before anybody has to type.

import { html } from "../../vendor/preact.js";
import { Choice, Field } from "../../parts/ui.js";
import { useLately } from "./lately.js";

/** @template {import("../../types/api").KindName} Kind @typedef {import("./words.js").Props<Kind>} Props */

/** @param {Props<"medication">} props */
export function Medication({ value, set }) {
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
 * @param {Props<"activity">} props
 */
export function Activity({ value, set }) {
  const lately = useLately("activity").map(({ name }) => name);
  const known = new Set(lately.map((name) => name.toLowerCase()));
  const offered = [...lately, ...common.filter((name) => !known.has(name.toLowerCase()))].slice(0, OFFERED);
  return html`
    <${Choice} label="Often" options=${offered.map((name) => [name, name])} value=${value.name} onChange=${(/** @type {string} */ name) => set({ name })} />
    <${Field} label="What" value=${value.name ?? ""} maxlength="60" autocomplete="off" onInput=${(/** @type {any} */ event) => set({ name: event.target.value })} />
  `;
}
