// What stands in the way of keeping an entry, said before it is kept: the server would refuse it much later.

import { belongs, kinds } from "../store/kinds.js";
import { GAP } from "../store/locale.js";
import { amount, length, temperature, weight } from "./format.js";

/** @typedef {{least: number, most: number, name: string, text: (value: number) => string}} Bounds */

const count = (/** @type {number} */ value) => `${value}${GAP}min`;
/** @type {Record<string, [name: string, text: (value: number) => string]>} */
const quantities = {
  amount_ml: ["The amount", amount], weight_g: ["The weight", weight], length_cm: ["The length", length], head_cm: ["The head", length],
  celsius: ["The temperature", temperature], left_minutes: ["The time at the left", count], right_minutes: ["The time at the right", count],
};

/**
 * What a number of a kind may be.
 * @param {string} kind @param {string} field
 * @returns {Bounds}
 */
export function boundsOf(kind, field) {
  const { least = 0, most = Infinity } = kinds[kind].fields[field];
  const [name, text] = quantities[field];
  return { least, most, name, text };
}

/**
 * Empty if nothing does.
 * @param {string} type
 * @param {any} value
 */
export function missing(type, value) {
  if (type === "note" && !value.content?.trim()) return "Write something first.";
  if (type === "measurement" && value.weight_g == null && value.length_cm == null && value.head_cm == null) {
    return "Enter at least one of the three.";
  }
  if (type === "temperature" && value.celsius == null) return "Enter the temperature.";
  if (type === "medication" && !value.name?.trim()) return "Say which medicine it was.";
  if (type === "activity" && !value.name?.trim()) return "Say what it was.";
  if (type === "discard" && value.amount_ml == null) return "Enter how much it was.";
  for (const field of Object.keys(quantities)) {
    if (value[field] == null || !(field in kinds[type].fields) || !belongs(type, field, value.type)) continue;
    const { least, most, name, text } = boundsOf(type, field);
    if (Number.isNaN(value[field])) return `${name} isn’t clear yet: see what stands below it.`;
    if (!(value[field] >= least && value[field] <= most)) return `${name} must be between ${text(least)} and ${text(most)}.`;
  }
  if (value.ended_at && Date.parse(value.ended_at) < Date.parse(value.started_at)) return "It can’t end before it starts.";
  return "";
}
