// What Today begins with, asked for at once.

import { now } from "../store/clock.js";
import { reminders } from "../store/reminders.js";
import { lastFeed } from "../parts/last.js";
import { medicinesOf } from "../parts/medicines.js";
import { kindNames } from "../parts/text.js";

const types = Object.keys(kindNames);
const DAY = 86_400_000;

/**
 * The last of each kind, with the last breast feed and the last bottle apart, which are what the next ones are like.
 * @param {any} store
 * @param {any} child
 */
export async function lately(store, child) {
  const several = ["feeding", "pumping", "sleep"];
  const [{ last, open, recent }, own, medicines] = await Promise.all([
    store.latest(child.id, types, several, now() - 3 * DAY), reminders(store), medicinesOf(store, child.id),
  ]);
  const feed = (/** @type {string} */ type) => recent.feeding.find((/** @type {any} */ one) => one.event.type === type) ?? null;
  const { first: feeding, bottles } = lastFeed({ last, recent });
  const isSolidLast = last.feeding?.event.type === "solid" && last.feeding.time >= now() - DAY && last.feeding.id !== feeding?.id;
  const solid = isSolidLast ? feed("solid") : null;
  const pumped = recent.pumping.find((/** @type {any} */ one) => one.event.amount_ml) ?? null;
  return {
    child: child.id, open, medicines, sleeps: recent.sleep, solid, bottles,
    told: new Set(own.filter((one) => one.child_id === child.id).map(({ on, plan_id }) => plan_id ?? on)),
    last: { ...last, feeding, breast: feed("breast"), bottle: feed("bottle"), pumped },
  };
}
