// The kinds as files have them: fields in the order of their columns, and what the server's rules refuse.

import { kinds } from "../store/kinds.js";

const HOUR = 3_600_000;

/**
 * `fields` are without the remark, times first.
 * @typedef {{name: string, one: string, many: string, path: string, time: "started_at" | "occurred_at",
 *   fields: string[]}} Kind
 */

/** @type {Record<import("../types/api").KindName, [one: string, many: string]>} */
const names = {
  feeding: ["feed", "feeds"], diaper: ["diaper", "diapers"], sleep: ["sleep", "sleeps"], note: ["note", "notes"],
  pumping: ["pumping", "pumpings"], measurement: ["measurement", "measurements"], temperature: ["temperature", "temperatures"],
  medication: ["medicine", "medicines"], activity: ["activity", "activities"], discard: ["entry of milk thrown away", "entries of milk thrown away"],
};

/** @type {Record<string, Kind>} */
export const KINDS = Object.fromEntries(Object.entries(names).map(([name, [one, many]]) => {
  const { plural, time, end, fields } = kinds[name];
  /** @type {string[]} */
  const times = end ? [time, end] : [time];
  const rest = Object.keys(fields).filter((field) => !times.includes(field) && field !== "notes");
  return [name, { name, one, many, path: plural, time, fields: [...times, ...rest] }];
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

/** @type {Record<string, string>} */
const REASONS = {
  weight_g: "the weight isn't between 0.2 and 60 kg", length_cm: "the length isn't between 20 and 150 cm",
  head_cm: "the head isn't between 15 and 70 cm", celsius: "the temperature isn't between 30 and 45 °C",
};

/**
 * Why the server would refuse an event; null if it wouldn't. Said before anything is sent, and to a person.
 * @param {string} kind @param {Record<string, any>} event @param {number} now
 */
export function refusalOf(kind, event, now) {
  const begun = Date.parse(event[KINDS[kind].time]);
  const ended = event.ended_at ? Date.parse(event.ended_at) : null;
  if (Number.isNaN(begun) || Number.isNaN(ended ?? 0)) return "the time can't be read";
  if (Math.max(begun, ended ?? begun) > now + 5 * 60_000) return "it is in the future";
  if (ended !== null && ended < begun) return "it ends before it starts";
  if (ended !== null && ended - begun > 24 * HOUR) return "it lasts over 24 hours";
  if (kind === "sleep" && ended === null && now - begun > 24 * HOUR) return "it has no end and began over 24 hours ago";
  for (const [field, { least = -Infinity, most = Infinity, longest = Infinity }] of Object.entries(kinds[kind].fields)) {
    const value = event[field];
    if (value == null) continue;
    if (typeof value === "string" && [...value].length > longest) return `the text is longer than ${longest} characters`;
    if (typeof value !== "number" || (value >= least && value <= most)) continue;
    if (field === "amount_ml") return `the amount isn't between 0 and ${most} ml`;
    return REASONS[field] ?? `${field} isn't between ${least} and ${most}`;
  }
  return null;
}
