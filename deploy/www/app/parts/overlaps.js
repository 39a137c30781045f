// Sleeps that overlap: said to whoever made them so, with a way to the other one.

import { html, useState } from "../vendor/preact.js";
import { overlapping, overlapsMadeBy } from "../model/overlaps.js";
import { remember, remembered } from "../store/account.js";
import { now } from "../store/clock.js";
import { texts } from "./text.js";
import { Icon } from "./icons.js";

/** @typedef {import("../store/types").Kept} Kept */

const DAY = 86_400_000;
const SEEN = "overlaps-seen";
const REMEMBERED = 40;

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

/** @param {{one: Kept, other: Kept}} pair */
const nameOf = ({ one, other }) => `${one.id} ${other.id}`;

/**
 * The latest overlap that this person made in the last day. It goes by itself when it is put right.
 * @param {{sleeps: Kept[], me: string}} props
 */
export function Overlaps({ sleeps, me }) {
  const [seen, setSeen] = useState(() => /** @type {string[]} */ (remembered(SEEN) ?? []));
  const pair = overlapsMadeBy(sleeps, me, now() - DAY).find((found) => !seen.includes(nameOf(found)));
  const dismiss = () => {
    if (!pair) return;
    const next = [nameOf(pair), ...seen].slice(0, REMEMBERED);
    remember(SEEN, next);
    setSeen(next);
  };
  return html`
    <div class="notices" role="status">
      ${pair &&
      html`
        <div class="notice" key=${nameOf(pair)}>
          <p>${texts.overlap(pair.one, pair.other, me)} <a href=${`#/timeline/${pair.other.id}`}>Look at it</a></p>
          <button type="button" class="plain" aria-label="Dismiss" onClick=${dismiss}><${Icon} name="close" /></button>
        </div>
      `}
    </div>
  `;
}
