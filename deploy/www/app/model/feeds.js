// Feeds as people count from them.

/** @typedef {{time: number, event: Record<string, any>}} Feed */

/** What comes so soon after a feed's end belongs to it: a bottle after the breast. */
export const ONE_FEED = 30 * 60_000;

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
 * A feed as people see it: bottles within half an hour of a breast feed's end are one with it.
 * @template {Feed} One
 * @param {One[]} lately newest first @param {One | null} feed one of them
 * @returns {{first: One, bottles: One[]} | null} the bottles oldest first; none where the feed stands alone
 */
export function wholeFeed(lately, feed) {
  if (!feed) return null;
  const alone = { first: feed, bottles: [] };
  if (feed.event.type !== "bottle") return alone;
  const before = lately.slice(lately.indexOf(feed) + 1).filter(({ event }) => event.type !== "solid");
  const place = before.findIndex(({ event }) => event.type === "breast");
  const breast = before[place];
  if (!breast || feed.time - Date.parse(breast.event.ended_at ?? breast.event.started_at) > ONE_FEED) return alone;
  return { first: breast, bottles: [feed, ...before.slice(0, place)].reverse() };
}

/**
 * When the count begins: at a feed's start, or at its end where that is known and wanted.
 * @param {Feed} feed @param {boolean} fromEnd
 */
export const countedFrom = ({ time, event }, fromEnd) =>
  (fromEnd && event.ended_at ? Date.parse(event.ended_at) : time);
