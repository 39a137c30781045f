// Two entries that are in each other's way: said to whoever made them so, with a way to the other one.

import { html, useState } from "../vendor/preact.js";
import { say } from "../words.js";
import { remember, remembered } from "../store/account.js";
import { Icon } from "./icons.js";

/** @typedef {{one: {id: string}, other: {id: string}}} Pair */

const SEEN = "overlaps-seen";
const REMEMBERED = 40;

/** @param {Pair} pair */
const nameOf = ({ one, other }) => `${one.id} ${other.id}`;

/** @returns {string[]} */
const seen = () => remembered(SEEN) ?? [];

/**
 * Nothing more is said of it.
 * @param {Pair} pair
 */
export function see(pair) {
  remember(SEEN, [nameOf(pair), ...seen()].slice(0, REMEMBERED));
}

/**
 * The first of the pairs that nobody has dismissed. It goes by itself when it is put right.
 * @template {Pair} Of
 * @param {{pairs: Of[], text: (pair: Of) => string}} props
 */
export function Pairs({ pairs, text }) {
  const [, draw] = useState(0);
  const known = seen();
  const pair = pairs.find((found) => !known.includes(nameOf(found)));
  const dismiss = () => {
    if (pair) see(pair);
    draw((count) => count + 1);
  };
  return html`
    <div class="notices" role="status">
      ${pair &&
      html`
        <div class="notice" key=${nameOf(pair)}>
          <p>${text(pair)} <a href=${`#/timeline/${pair.other.id}`}>${say("pairs.look")}</a></p>
          <button type="button" class="plain" aria-label=${say("common.dismiss")} onClick=${dismiss}><${Icon} name="close" /></button>
        </div>
      `}
    </div>
  `;
}
