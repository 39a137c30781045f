// The last dose of each medicine: a vitamin must not hide what was given against a fever.

const SHOWN_FOR = 48 * 3_600_000;

/**
 * A medicine's name, however it was written.
 * @param {string | null | undefined} name as a person typed it
 */
export const nameOf = (name) => (name ?? "").normalize().trim().replace(/\s+/g, " ").toLowerCase();

/**
 * The last dose of each name in the last 48 hours, the latest first.
 * @template {{time: number, event: import("../types/api").Events["medication"] | Record<string, any>}} Dose
 * @param {Dose[]} given newest first @param {number} now
 * @returns {Dose[]}
 */
export function lastDoses(given, now) {
  /** @type {Map<string, Dose>} */
  const latest = new Map();
  for (const dose of given) {
    const name = nameOf(dose.event.name);
    if (now - dose.time <= SHOWN_FOR && !latest.has(name)) latest.set(name, dose);
  }
  return [...latest.values()];
}
