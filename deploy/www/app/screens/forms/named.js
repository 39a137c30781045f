// What has a name: the family's own names are offered before anybody has to type.

import { html } from "../../vendor/preact.js";
import { say } from "../../words.js";
import { Choice, Field } from "../../parts/ui.js";
import { useQuery, useStore } from "../../parts/hooks.js";
import { useLately } from "./lately.js";

/** @template {import("../../types/api").KindName} Kind @typedef {import("./words.js").Props<Kind>} Props */

const OFFERED = 6;

/** @param {string} name */
const plain = (name) => name.trim().toLowerCase();

/**
 * The child's plans, and what was given lately without one: each name once.
 * @param {string | undefined} child @returns {{name: string, dose?: string | null, plan_id: string | null}[]}
 */
function useMedicines(child) {
  const store = useStore();
  const plans = useQuery(() => (child ? store.plans(child) : Promise.resolve([])), [child]) ?? [];
  const lately = useLately("medication").map(({ name, dose }) => ({ name, dose, plan_id: null }));
  const planned = plans.map(({ id, event }) => ({ name: event.name, dose: event.dose, plan_id: id }));
  const known = new Set(planned.map(({ name }) => plain(name)));
  return [...planned, ...lately.filter(({ name }) => !known.has(plain(name)))];
}

/** @param {Props<"medication">} props */
export function Medication({ value, set }) {
  const { child } = useStore().snapshot;
  const offered = useMedicines(/** @type {any} */ (value).child_id ?? child?.id);
  const type = (/** @type {any} */ { target: { value: name } }) =>
    set(/** @type {any} */ ({ name, plan_id: offered.find((one) => plain(one.name) === plain(name))?.plan_id ?? null }));
  const chosen = offered.find((one) => one.name === value.name?.trim());
  const choose = (/** @type {string} */ name) => {
    const { dose = null, plan_id = null } = offered.find((one) => one.name === name) ?? {};
    set(/** @type {any} */ ({ name, dose, plan_id }));
  };
  return html`
    ${offered.length > 0 &&
    html`<${Choice} label=${say("forms.given_lately")} options=${offered.slice(0, OFFERED).map(({ name }) => [name, name])} value=${chosen?.name} onChange=${choose} />`}
    <${Field} label=${say("kind.medication")} value=${value.name ?? ""} maxlength="100" autocomplete="off" onInput=${type} />
    <${Field} label=${say("forms.dose")} hint=${say("forms.dose_hint")} value=${value.dose ?? ""} maxlength="50" autocomplete="off" onInput=${(/** @type {any} */ event) => set({ dose: event.target.value || null })} />
  `;
}

const common = () =>
  [say("forms.activity_tummy_time"), say("forms.activity_bath"), say("forms.activity_walk"), say("forms.activity_play")];

/**
 * What this family does, and where that is little yet, what others do.
 * @param {Props<"activity">} props
 */
export function Activity({ value, set }) {
  const lately = useLately("activity").map(({ name }) => name);
  const known = new Set(lately.map((name) => name.toLowerCase()));
  const offered = [...lately, ...common().filter((name) => !known.has(name.toLowerCase()))].slice(0, OFFERED);
  return html`
    <${Choice} label=${say("forms.often")} options=${offered.map((name) => [name, name])} value=${value.name} onChange=${(/** @type {string} */ name) => set({ name })} />
    <${Field} label=${say("forms.what")} value=${value.name ?? ""} maxlength="60" autocomplete="off" onInput=${(/** @type {any} */ event) => set({ name: event.target.value })} />
  `;
}
