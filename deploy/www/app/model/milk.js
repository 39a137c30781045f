// Pumped milk that nobody has drunk yet: what is oldest is given first, and what is thrown away was the oldest too.

import { isGone, startOf } from "./totals.js";

/** @typedef {import("./totals.js").Item} Item */

/** Milk keeps for a year at most; older entries say nothing of what is there. */
export const KEEPS = 366 * 86_400_000;

/**
 * Milk that is used without having been pumped here was never in the stash.
 * @param {Item[]} events of a family's children, in any order @param {number} now
 * @returns {{ml: number, oldest: string | null}} `oldest`: when the oldest of it was pumped
 */
export function milkStash(events, now) {
  /** @type {{at: string, tenths: number}[]} */
  const lots = [];
  let first = 0;
  const moves = events.flatMap((item) => {
    const tenths = isGone(item) || startOf(item) <= now - KEEPS || startOf(item) > now ? 0 : moved(item);
    return tenths ? [{ at: item.at, time: startOf(item), tenths }] : [];
  });
  // What is pumped at the moment of a bottle may be in it.
  for (const { at, tenths } of moves.sort((one, other) => one.time - other.time || other.tenths - one.tenths)) {
    if (tenths > 0) lots.push({ at, tenths });
    for (let used = Math.max(0, -tenths); used > 0 && first < lots.length;) {
      const taken = Math.min(used, lots[first].tenths);
      lots[first].tenths -= taken;
      used -= taken;
      if (lots[first].tenths === 0) first += 1;
    }
  }
  const left = lots.slice(first);
  return { ml: left.reduce((sum, lot) => sum + lot.tenths, 0) / 10, oldest: left[0]?.at ?? null };
}

/**
 * Tenths of a millilitre that an event puts into the stash, or takes out of it.
 * @param {Item} item
 */
function moved({ type, event }) {
  const tenths = Math.round((event.amount_ml ?? 0) * 10);
  if (type === "pumping") return tenths;
  const isDrunk = type === "feeding" && event.type === "bottle" && event.content === "breast_milk";
  return isDrunk || type === "discard" ? -tenths : 0;
}
