// A person's own reminders: "no feed for 3 h". Each is due once for each event that it counts from.

/**
 * @typedef {import("../types/api").NewReminder & {id: string}} Reminder
 * @typedef {{id: string, time: number, event: Record<string, any>}} One
 */

/**
 * What it counts from: the last one's start, of sleep the last waking; null while the child sleeps.
 * @param {Reminder} reminder @param {One | null | undefined} last of its kind
 */
export function countsFrom({ on }, last) {
  if (!last) return null;
  if (on !== "sleep") return last.time;
  return last.event.ended_at ? Date.parse(last.event.ended_at) : null;
}

/**
 * When it is due, or was; null where there is nothing to count from.
 * @param {Reminder} reminder @param {One | null | undefined} last
 */
export function dueAt(reminder, last) {
  const from = countsFrom(reminder, last);
  return from === null || !reminder.after_minutes ? null : from + reminder.after_minutes * 60_000;
}
