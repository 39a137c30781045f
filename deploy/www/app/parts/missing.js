// What stands in the way of keeping an entry, said before it is kept: the server would refuse it much later.

import { say, sayIf } from "../words.js";
import { belongs, kinds } from "../store/kinds.js";
import { amount, length, temperature, weight } from "./format.js";

/** @typedef {{least: number, most: number, name: string, text: (value: number) => string}} Bounds */

const minutes = (/** @type {number} */ value) => say("length.minutes", { minutes: value });
/** @type {Record<string, (value: number) => string>} */
const quantities = {
  amount_ml: amount, weight_g: weight, length_cm: length, head_cm: length, celsius: temperature, left_minutes: minutes,
  right_minutes: minutes,
};

/**
 * What a number of a kind may be.
 * @param {string} kind @param {string} field
 * @returns {Bounds}
 */
export function boundsOf(kind, field) {
  const { least = 0, most = Infinity } = kinds[kind].fields[field];
  return { least, most, name: sayIf("bounds", field) ?? field, text: quantities[field] };
}

/**
 * Empty if nothing does.
 * @param {string} type
 * @param {any} value
 */
export function missing(type, value) {
  if (type === "note" && !value.content?.trim()) return say("missing.note");
  if (type === "measurement" && value.weight_g == null && value.length_cm == null && value.head_cm == null) {
    return say("missing.measurement");
  }
  if (type === "temperature" && value.celsius == null) return say("missing.temperature");
  if (type === "medication" && !value.name?.trim()) return say("missing.medication");
  if (type === "activity" && !value.name?.trim()) return say("missing.activity");
  if (type === "discard" && value.amount_ml == null) return say("missing.discard");
  for (const field of Object.keys(quantities)) {
    if (value[field] == null || !(field in kinds[type].fields) || !belongs(type, field, value.type)) continue;
    const { least, most, name, text } = boundsOf(type, field);
    if (Number.isNaN(value[field])) return say("missing.unclear", { what: name });
    if (!(value[field] >= least && value[field] <= most)) {
      return say("missing.between", { what: name, least: text(least), most: text(most) });
    };
  }
  if (value.ended_at && Date.parse(value.ended_at) < Date.parse(value.started_at)) return say("missing.order");
  return "";
}
