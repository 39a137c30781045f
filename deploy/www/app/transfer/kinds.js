// The kinds as files have them: fields in the order of their columns, and what the server's rules refuse.

import { kinds } from "../store/kinds.js";
import { say } from "../words.js";

const HOUR = 3_600_000;

/**
 * `fields` are without the remark, times first.
 * @typedef {{name: string, path: string, time: "started_at" | "occurred_at", fields: string[]}} Kind
 */

/** @type {import("../types/api").KindName[]} */
const names = [
  "feeding", "diaper", "sleep", "note", "pumping", "measurement", "temperature", "medication", "activity", "discard",
];

/** @type {Record<string, Kind>} */
export const KINDS = Object.fromEntries(names.map((name) => {
  const { plural, time, end, fields } = kinds[name];
  /** @type {string[]} */
  const times = end ? [time, end] : [time];
  const rest = Object.keys(fields).filter((field) => !times.includes(field) && field !== "notes");
  return [name, { name, path: plural, time, fields: [...times, ...rest] }];
}));

/** The kinds that every version of the server has. */
export const FIRST_KINDS = ["feeding", "diaper", "sleep", "note"];

/**
 * The kinds that a server has a place for, from its own description.
 * @param {{paths?: Record<string, unknown>}} openAPI
 */
export function kindsKnownTo(openAPI) {
  const paths = Object.keys(openAPI.paths ?? {});
  const ofChildren = paths.map((path) => /\/children\/\{[^}]+\}\/([^/]+)$/.exec(path)?.[1]);
  const known = Object.values(KINDS).filter(({ path }) => ofChildren.includes(path));
  return known.length ? known.map(({ name }) => name) : FIRST_KINDS;
}

/**
 * What a number of a kind may be at least and at most.
 * @param {string} kind @param {string} field @returns {[least: number, most: number]}
 */
export function boundsOf(kind, field) {
  const { least = 0, most = Infinity } = kinds[kind].fields[field];
  return [least, most];
}

/** @type {Record<string, import("../words.js").Id>} */
const REASONS = {
  weight_g: "import_problem.weight", length_cm: "import_problem.length", head_cm: "import_problem.head", celsius: "import_problem.temperature",
};

/**
 * Why the server would refuse an event; null if it wouldn't. Said before anything is sent, and to a person.
 * @param {string} kind @param {Record<string, any>} event @param {number} now
 */
export function refusalOf(kind, event, now) {
  const begun = Date.parse(event[KINDS[kind].time]);
  const ended = event.ended_at ? Date.parse(event.ended_at) : null;
  if (Number.isNaN(begun) || Number.isNaN(ended ?? 0)) return say("import_problem.time_unreadable");
  if (Math.max(begun, ended ?? begun) > now + 5 * 60_000) return say("import_problem.in_the_future");
  if (ended !== null && ended < begun) return say("import_problem.ends_before_start");
  if (ended !== null && ended - begun > 24 * HOUR) return say("import_problem.too_long");
  if (kind === "sleep" && ended === null && now - begun > 24 * HOUR) return say("import_problem.no_end");
  for (const [field, { least = -Infinity, most = Infinity, longest = Infinity }] of Object.entries(kinds[kind].fields)) {
    const value = event[field];
    if (value == null) continue;
    if (typeof value === "string" && [...value].length > longest) return say("import_problem.text_too_long", { most: String(longest) });
    if (typeof value !== "number" || (value >= least && value <= most)) continue;
    if (field === "amount_ml") return say("import_problem.amount", { most: String(most) });
    const unit = field === "weight_g" ? 1000 : 1;
    return say(REASONS[field] ?? "import_problem.number", { field, least: least / unit, most: most / unit });
  }
  return null;
}
