// Sleeps that overlap, as the server warns of them: a child sleeps once at a time.

/** @typedef {{id: string, time: number, event: Record<string, any>}} Sleep */

const end = (/** @type {Sleep} */ { event }) => (event.ended_at ? Date.parse(event.ended_at) : Infinity);

/**
 * Those of the sleeps that overlap one, the earliest first. Ends that touch don't; what has not ended goes on.
 * @template {Sleep} One
 * @param {One} one @param {One[]} sleeps of the same child
 */
export const overlapping = (one, sleeps) =>
  sleeps.filter((other) => other.id !== one.id && other.time < end(one) && end(other) > one.time)
    .sort((a, b) => a.time - b.time);

/** @param {Sleep} one when somebody last touched it */
const touched = ({ event }) => Date.parse(event.updated_at ?? event.created_at);

/**
 * The overlaps that a person made since a moment, the latest first: the later touched of the two is theirs.
 * @template {Sleep} One
 * @param {One[]} sleeps @param {string} me @param {number} since @returns {{one: One, other: One}[]}
 */
export function overlapsMadeBy(sleeps, me, since) {
  const isMine = (/** @type {Sleep} */ { event }) => (event.updated_by ?? event.created_by)?.user_id === me;
  return sleeps
    .filter((one) => isMine(one) && touched(one) >= since)
    .flatMap((one) => overlapping(one, sleeps).map((other) => ({ one, other })))
    .filter(({ one, other }) => touched(one) > touched(other) || (touched(one) === touched(other) && one.id > other.id))
    .sort((a, b) => touched(b.one) - touched(a.one));
}
