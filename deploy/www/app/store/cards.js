// What Today shows on this device, and in what order: what a family doesn't use is out of the way.

import { device, setDevice } from "./account.js";

/** Each stands for a kind, or for a type of feed. */
export const everyCard = [
  "bottle", "breast", "sleep", "diaper", "solid", "note", "pumping", "medication", "temperature", "measurement", "activity", "discard",
];
const feeds = new Set(["bottle", "breast", "solid"]);

/** @param {string} card the kind that it is about */
export const kindOf = (card) => (feeds.has(card) ? "feeding" : card);

/** @returns {{order: string[], hidden: string[]}} */
const chosen = () => ({ order: device().cards?.order ?? [], hidden: device().cards?.hidden ?? [] });

/**
 * All in their order, and those that are shown. What a newer version has comes last, and is shown.
 * @returns {{all: string[], shown: string[]}}
 */
export function cards() {
  const { order, hidden } = chosen();
  const known = order.filter((card) => everyCard.includes(card));
  const all = [...known, ...everyCard.filter((card) => !known.includes(card))];
  return { all, shown: all.filter((card) => !hidden.includes(card)) };
}

/** The kinds that are shown, each once, where its first card stands. */
export const shownKinds = () => [...new Set(cards().shown.map(kindOf))];

/** @param {string} card @param {boolean} isShown */
export function showCard(card, isShown) {
  const { order, hidden } = chosen();
  setDevice({ cards: { order, hidden: [...hidden.filter((one) => one !== card), ...(isShown ? [] : [card])] } });
}

/** @param {string} card @param {number} by −1: one up */
export function moveCard(card, by) {
  const { all } = cards();
  const from = all.indexOf(card);
  const to = from + by;
  if (to < 0 || to >= all.length) return;
  all.splice(to, 0, ...all.splice(from, 1));
  setDevice({ cards: { ...chosen(), order: all } });
}
