// What stands in the way of keeping an entry, said before it is kept: the server would refuse it much later.

import { amount, length, temperature, weight } from "../../parts/format.js";

/** @typedef {[least: number, most: number, name: string, text: (value: number) => string]} Bounds */

/** @type {Record<string, Bounds>} */
export const bounds = {
  amount_ml: [0, 1000, "The amount", amount],
  weight_g: [200, 60_000, "The weight", weight],
  length_cm: [20, 150, "The length", length],
  head_cm: [15, 70, "The head", length],
  celsius: [30, 45, "The temperature", temperature],
};

/** What a pump fills at most. */
export const MOST_PUMPED = 2000;

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
  for (const [field, [least, usual, name, text]] of Object.entries(bounds)) {
    const most = type === "pumping" ? MOST_PUMPED : usual;
    if (value[field] == null || (type === "feeding" && value.type !== "bottle")) continue;
    if (Number.isNaN(value[field])) return `${name} isn’t clear yet: see what stands below it.`;
    if (!(value[field] >= least && value[field] <= most)) return `${name} must be between ${text(least)} and ${text(most)}.`;
  }
  if (value.ended_at && Date.parse(value.ended_at) < Date.parse(value.started_at)) return "It can’t end before it starts.";
  return "";
}
