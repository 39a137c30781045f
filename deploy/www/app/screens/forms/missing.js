// What stands in the way of keeping an entry, said before it is kept: the server would refuse it much later.

import { length, temperature, weight } from "../../parts/format.js";

/** @type {Record<string, [number, number, string, (value: number) => string]>} */
const bounds = {
  weight_g: [200, 60_000, "The weight", weight],
  length_cm: [20, 150, "The length", length],
  head_cm: [15, 70, "The head", length],
  celsius: [30, 45, "The temperature", temperature],
};

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
  for (const [field, [least, most, name, text]] of Object.entries(bounds)) {
    if (value[field] != null && !(value[field] >= least && value[field] <= most)) {
      return `${name} must be between ${text(least)} and ${text(most)}.`;
    }
  }
  return "";
}
