// The kinds of events: how each is called on the wire, and which fields hold its time.

/** @typedef {{path: string, starts: "started_at" | "occurred_at", lasts: boolean, fields: string[]}} Kind */

/** @type {Record<string, Kind>} */
export const kinds = {
  feeding: {
    path: "feedings", starts: "started_at", lasts: true,
    fields: ["type", "side", "amount_ml", "content", "food", "started_at", "ended_at", "notes"],
  },
  diaper: { path: "diapers", starts: "occurred_at", lasts: false, fields: ["type", "color", "occurred_at", "notes"] },
  sleep: { path: "sleeps", starts: "started_at", lasts: true, fields: ["type", "started_at", "ended_at", "notes"] },
  note: { path: "notes", starts: "occurred_at", lasts: false, fields: ["content", "occurred_at", "notes"] },
  pumping: {
    path: "pumpings", starts: "started_at", lasts: true,
    fields: ["side", "amount_ml", "started_at", "ended_at", "notes"],
  },
  measurement: {
    path: "measurements", starts: "occurred_at", lasts: false,
    fields: ["weight_g", "length_cm", "head_cm", "occurred_at", "notes"],
  },
  temperature: {
    path: "temperatures", starts: "occurred_at", lasts: false,
    fields: ["celsius", "site", "occurred_at", "notes"],
  },
  medication: {
    path: "medications", starts: "occurred_at", lasts: false,
    fields: ["name", "dose", "occurred_at", "notes"],
  },
  activity: {
    path: "activities", starts: "started_at", lasts: true,
    fields: ["name", "started_at", "ended_at", "notes"],
  },
};

/**
 * When an event starts or occurs, in milliseconds.
 * @param {string} type
 * @param {any} event
 */
export const timeOf = (type, event) => Date.parse(event[kinds[type].starts]);

/**
 * Whether an event is under way until somebody says when it ended. Pumped milk that has been measured is over.
 * @param {string} type
 * @param {any} event
 */
export function isOpen(type, event) {
  if (event.ended_at) return false;
  if (type === "feeding") return event.type === "breast";
  return type === "sleep" || type === "activity" || (type === "pumping" && event.amount_ml == null);
}

const HOUR = 3_600_000;

/**
 * A sleep goes on for a day at most, anything else for four hours; then somebody forgot to say that it ended.
 * @param {{type: string, time: number, event: any}} one
 * @param {number} now
 */
export const isUnderWay = ({ type, time, event }, now) => isOpen(type, event) && now - time < (type === "sleep" ? 24 : 4) * HOUR;
