// Sleeps that overlap: said to whoever made them so, with a way to the other one.

import { html } from "../vendor/preact.js";
import { overlapping, overlapsMadeBy } from "../model/overlaps.js";
import { now } from "../store/clock.js";
import { Pairs } from "./pairs.js";
import { texts } from "./text.js";

/** @typedef {import("../store/types").Kept} Kept */

const DAY = 86_400_000;

/**
 * The first sleep that another overlaps with.
 * @param {import("../store/store.js").Store} store @param {{family_id: string, id: string}} key
 * @returns {Promise<Kept | null>}
 */
export async function overlapOf(store, { family_id, id }) {
  const one = await store.event(family_id, id);
  if (one?.type !== "sleep") return null;
  const end = one.event.ended_at ? Date.parse(one.event.ended_at) : Infinity;
  return overlapping(one, await store.recent(one.child_id, "sleep", one.time - DAY, end))[0] ?? null;
}

/**
 * The latest overlap that this person made in the last day.
 * @param {{sleeps: Kept[], me: string}} props
 */
export const Overlaps = ({ sleeps, me }) => html`
  <${Pairs} pairs=${overlapsMadeBy(sleeps, me, now() - DAY)}
    text=${(/** @type {{one: Kept, other: Kept}} */ { one, other }) => texts.overlap(one, other, me)} />
`;
