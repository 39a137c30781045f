// The clock of a breast feed: which side when, and when it stood still. Of pauses the feed itself knows nothing.

/** @typedef {"left" | "right"} Side */
/** @typedef {{at: number, side: Side | null}} Change from this moment on; null: a pause */

const MINUTE = 60_000;

/**
 * The changes so far of a feed that nobody here has touched: another device may have switched it, and left the minutes
 * of the side before. Empty where nothing is known of the side.
 * @param {number} start @param {Record<string, any>} event @returns {Change[]}
 */
export function changesOf(start, { side, left_minutes: left, right_minutes: right, last_side: last }) {
  /** @type {Side | null} */
  const now = last ?? (side === "both" ? null : side ?? null);
  if (!now) return [];
  const before = (now === "left" ? right : left) ?? 0;
  const first = { at: start, side: /** @type {Side} */ (now === "left" ? "right" : "left") };
  return before ? [first, { at: start + before * MINUTE, side: now }] : [{ at: start, side: now }];
}

/**
 * How long each side had, in milliseconds, the side that has it now or had it last, and whether the clock stands still.
 * @param {Change[]} changes oldest first @param {number} now
 */
export function sidesAt(changes, now) {
  const taken = { left: 0, right: 0 };
  /** @type {Side | null} */
  let last = null;
  changes.forEach(({ at, side }, place) => {
    if (!side) return;
    taken[side] += Math.max(0, Math.min(changes[place + 1]?.at ?? now, now) - at);
    last = side;
  });
  const isPaused = changes.length > 0 && !changes[changes.length - 1].side;
  return { ...taken, last: /** @type {Side | null} */ (last), isPaused };
}

/**
 * What a feed is with these minutes. A side of less than half a minute was a slip of the thumb, if the other had more.
 * @param {Change[]} changes @param {number} now
 */
export function fieldsAt(changes, now) {
  const { left, right, last } = sidesAt(changes, now);
  if (!last) return {};
  const whole = (/** @type {number} */ taken) => Math.round(taken / MINUTE) || null;
  const [left_minutes, right_minutes] = [whole(left), whole(right)];
  const isSlip = !(last === "left" ? left_minutes : right_minutes) && (left_minutes || right_minutes);
  const last_side = isSlip ? other(last) : last;
  return { side: left_minutes && right_minutes ? "both" : last_side, left_minutes, right_minutes, last_side };
}

/** @param {Side} side @returns {Side} */
export const other = (side) => (side === "left" ? "right" : "left");
