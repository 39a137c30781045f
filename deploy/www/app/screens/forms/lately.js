// Names that this family has used lately, the latest first: they are offered before anybody has to type.

import { useQuery, useStore } from "../../parts/hooks.js";
import { now } from "../../store/clock.js";

const DAYS = 90;
const OFFERED = 6;

/**
 * @param {string} type
 * @returns {any[]} the latest event of each name, of any of the family's children
 */
export function useLately(type) {
  const store = useStore();
  const { family } = store;
  const ask = () => Promise.all(family.children.map((child) => store.recent(child.id, type, now() - DAYS * 86_400_000)));
  const found = useQuery(ask, [type, family.id]) ?? [];
  const byName = new Map();
  for (const { event } of found.flat().sort((one, other) => other.time - one.time)) {
    const name = event.name?.trim().toLowerCase();
    if (name && !byName.has(name)) byName.set(name, event);
  }
  return [...byName.values()].slice(0, OFFERED);
}
