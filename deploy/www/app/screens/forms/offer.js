// What a sheet that logs begins with, and what its button says.

import { now } from "../../store/clock.js";
import { kindName, phrase, word } from "../../parts/text.js";
import { amount, toInput } from "../../parts/format.js";

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

/** @param {string} type @param {any} value @param {boolean} goesOn */
export function verb(type, value, goesOn) {
  if (type === "feeding" && value.type === "breast") return `${goesOn ? "Start" : "Log"} ${phrase("side", value.side)}`;
  if (type === "feeding" && value.type === "bottle") return value.amount_ml ? `Log ${amount(value.amount_ml)}` : "Log bottle";
  if (type === "feeding") return "Log solids";
  if (type === "diaper") return `Log ${word("type", value.type).toLowerCase()} diaper`;
  if (type === "sleep") return `${goesOn ? "Start" : "Log"} ${value.type === "night" ? "night sleep" : "nap"}`;
  if (type === "activity") return `${goesOn ? "Start" : "Log"} ${short(value.name) || "activity"}`;
  if (type === "medication") return `Log ${short(value.name) || "medicine"}`;
  if (type === "pumping") return goesOn ? "Start pumping" : value.amount_ml ? `Log ${amount(value.amount_ml)}` : "Log pumping";
  if (type === "discard") return value.amount_ml ? `Log ${amount(value.amount_ml)}` : "Log it";
  return `Log ${kindName(type).toLowerCase()}`;
}
