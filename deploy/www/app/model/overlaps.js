// Sleeps that overlap, as the server warns of them: a child sleeps once at a time.

/** @typedef {import("../store/types").Kept} Kept */

const end = (/** @type {Kept} */ { event }) => (event.ended_at ? Date.parse(event.ended_at) : Infinity);

/**
 * Those of the sleeps that overlap one, the earliest first. Ends that touch don't; what has not ended goes on.
 * @param {Kept} one @param {Kept[]} sleeps of the same child
 */
export const overlapping = (one, sleeps) =>
  sleeps.filter((other) => other.id !== one.id && other.time < end(one) && end(other) > one.time)
    .sort((a, b) => a.time - b.time);

/** @param {Kept} one when somebody last touched it */
const touched = ({ event }) => Date.parse(event.updated_at ?? event.created_at);

/**
 * The overlaps that a person made since a moment, the latest first: the later touched of the two is theirs.
 * @param {Kept[]} sleeps @param {string} me @param {number} since @returns {{one: Kept, other: Kept}[]}
 */
export function overlapsMadeBy(sleeps, me, since) {
  const isMine = (/** @type {Kept} */ { event }) => (event.updated_by ?? event.created_by)?.user_id === me;
  return sleeps
    .filter((one) => isMine(one) && touched(one) >= since)
    .flatMap((one) => overlapping(one, sleeps).map((other) => ({ one, other })))
    .filter(({ one, other }) => touched(one) > touched(other) || (touched(one) === touched(other) && one.id > other.id))
    .sort((a, b) => touched(b.one) - touched(a.one));
}
