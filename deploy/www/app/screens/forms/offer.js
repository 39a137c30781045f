// What a sheet that logs begins with, and what its button says.

import { now } from "../../store/clock.js";
import { amount, toInput } from "../../parts/format.js";
import { say } from "../../words.js";

const other = { left: "right", right: "left", both: "both" };

/**
 * What is likely, from the last of its kind.
 * @param {string} type
 * @param {any} last
 * @param {string} [of] type of feed that was asked for
 */
export function offer(type, last, of) {
  const hour = Number(toInput(now()).slice(11, 13));
  switch (type) {
    case "feeding": {
      const kind = of ?? last.feeding?.event.type ?? "bottle";
      return { type: kind, side: other[/** @type {"left"} */ (last.breast?.event.last_side ?? last.breast?.event.side)] ?? "left", amount_ml: last.bottle?.event.amount_ml ?? 120, content: last.bottle?.event.content ?? "formula" };
    }
    case "diaper": return { type: "wet" };
    case "sleep": return { type: hour >= 19 || hour < 6 ? "night" : "nap" };
    case "pumping": return { side: last.pumping?.event.side ?? "both", amount_ml: last.pumped?.event.amount_ml ?? 100 };
    case "medication": return { name: last.medication?.event.name, dose: last.medication?.event.dose };
    case "discard": return { amount_ml: last.discard?.event.amount_ml ?? 60 };
    case "temperature": return { site: last.temperature?.event.site };
    default: return {};
  }
}

/** @param {string | undefined} name what a person typed, for a button */
const short = (name = "") => (name.length > 24 ? `${name.slice(0, 23).trim()}…` : name.trim());

/** @typedef {import("../../words.js").Id} Id */
/** @type {Record<string, Record<string, Id>>} */
const starts = {
  breast: { left: "forms.start_left", right: "forms.start_right", both: "forms.start_both" },
  sleep: { nap: "forms.start_nap", night: "forms.start_night" },
};
/** @type {Record<string, Record<string, Id>>} */
const logs = {
  breast: { left: "forms.log_left", right: "forms.log_right", both: "forms.log_both" },
  sleep: { nap: "forms.log_nap", night: "forms.log_night" },
  diaper: { wet: "forms.log_wet", dirty: "forms.log_dirty", mixed: "forms.log_mixed", dry: "forms.log_dry" },
};
/** @type {Record<string, Id>} */
const others = { note: "forms.log_note", measurement: "forms.log_growth", temperature: "forms.log_temperature" };

/** @param {string} type @param {any} value @param {boolean} goesOn */
export function verb(type, value, goesOn) {
  const words = goesOn ? starts : logs;
  const name = short(value.name);
  const withAmount = (/** @type {Id} */ without) =>
    (value.amount_ml ? say("forms.log_amount", { amount: amount(value.amount_ml) }) : say(without));
  if (type === "feeding" && value.type === "breast") return say(words.breast[value.side] ?? words.breast.left);
  if (type === "feeding") return value.type === "bottle" ? withAmount("forms.log_bottle") : say("forms.log_solids");
  if (type === "diaper") return say(logs.diaper[value.type] ?? "forms.log_it");
  if (type === "sleep") return say(words.sleep[value.type] ?? words.sleep.nap);
  if (type === "activity" && name) return say(goesOn ? "forms.start_named" : "forms.log_named", { name });
  if (type === "activity") return say(goesOn ? "forms.start_activity" : "forms.log_activity");
  if (type === "medication") return name ? say("forms.log_named", { name }) : say("forms.log_medicine");
  if (type === "pumping") return goesOn ? say("forms.start_pumping") : withAmount("forms.log_pumping");
  if (type === "discard") return withAmount("forms.log_it");
  return say(others[type] ?? "forms.log_it");
}
