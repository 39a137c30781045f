// Feeds as people count from them.

/** @typedef {{time: number, event: Record<string, any>}} Feed */

/**
 * The feed that the wait for the next is counted from. Solids are no answer to hunger at night, unless this device was
 * told otherwise; a child that has had nothing else for days is counted by them.
 * @template {Feed} One
 * @param {One[]} lately newest first @param {One | null} last of any type @param {boolean} solidsCount
 * @returns {One | null}
 */
export const feedToCountFrom = (lately, last, solidsCount) =>
  lately.find(({ event }) => solidsCount || event.type !== "solid") ?? last;

/**
 * When the count begins: at a feed's start, or at its end where that is known and wanted.
 * @param {Feed} feed @param {boolean} fromEnd
 */
export const countedFrom = ({ time, event }, fromEnd) =>
  (fromEnd && event.ended_at ? Date.parse(event.ended_at) : time);
