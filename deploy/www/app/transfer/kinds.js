// The kinds as files have them: fields in the order of their columns, and what the server's rules refuse.

const HOUR = 3_600_000;

/**
 * @typedef {{name: string, one: string, many: string, path: string, time: "started_at" | "occurred_at",
 *   fields: string[]}} Kind
 */

/** @type {Record<string, Kind>} */
export const KINDS = {
  feeding: {
    name: "feeding", one: "feed", many: "feeds", path: "feedings", time: "started_at",
    fields: ["started_at", "ended_at", "type", "side", "amount_ml", "content", "food"],
  },
  diaper: {
    name: "diaper", one: "diaper", many: "diapers", path: "diapers", time: "occurred_at",
    fields: ["occurred_at", "type", "color"],
  },
  sleep: {
    name: "sleep", one: "sleep", many: "sleeps", path: "sleeps", time: "started_at",
    fields: ["started_at", "ended_at", "type"],
  },
  note: {
    name: "note", one: "note", many: "notes", path: "notes", time: "occurred_at",
    fields: ["occurred_at", "content"],
  },
  pumping: {
    name: "pumping", one: "pumping", many: "pumpings", path: "pumpings", time: "started_at",
    fields: ["started_at", "ended_at", "side", "amount_ml"],
  },
  measurement: {
    name: "measurement", one: "measurement", many: "measurements", path: "measurements", time: "occurred_at",
    fields: ["occurred_at", "weight_g", "length_cm", "head_cm"],
  },
  temperature: {
    name: "temperature", one: "temperature", many: "temperatures", path: "temperatures", time: "occurred_at",
    fields: ["occurred_at", "celsius", "site"],
  },
  medication: {
    name: "medication", one: "medicine", many: "medicines", path: "medications", time: "occurred_at",
    fields: ["occurred_at", "name", "dose"],
  },
  activity: {
    name: "activity", one: "activity", many: "activities", path: "activities", time: "started_at",
    fields: ["started_at", "ended_at", "name"],
  },
};

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

/** @type {Record<string, [number, number, string]>} */
export const BOUNDS = {
  weight_g: [200, 60_000, "the weight isn't between 0.2 and 60 kg"],
  length_cm: [20, 150, "the length isn't between 20 and 150 cm"],
  head_cm: [15, 70, "the head isn't between 15 and 70 cm"],
  celsius: [30, 45, "the temperature isn't between 30 and 45 °C"],
};
/**
 * What a bottle and a pump hold at most, in ml.
 * @param {string} kind
 */
export const mostOf = (kind) => kind === "pumping" ? 2000 : 1000;

/** @type {Record<string, number>} */
const LENGTHS = { notes: 2000, content: 5000, food: 200, name: 100, dose: 50 };

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
  if (event.amount_ml != null && !(event.amount_ml > 0 && event.amount_ml <= mostOf(kind))) {
    return `the amount isn't between 0 and ${mostOf(kind)} ml`;
  }
  for (const [field, [least, most, reason]] of Object.entries(BOUNDS)) {
    if (event[field] != null && !(event[field] >= least && event[field] <= most)) return reason;
  }
  for (const [field, most] of Object.entries(LENGTHS)) {
    const limit = kind === "activity" && field === "name" ? 60 : most;
    if (event[field] != null && [...event[field]].length > limit) return `the text is longer than ${limit} characters`;
  }
  return null;
}
