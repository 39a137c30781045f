// Switch and Pause of a breast feed that goes on.

import { html } from "../vendor/preact.js";
import { say } from "../words.js";
import { other, sidesAt } from "../model/sides.js";
import { now } from "../store/clock.js";
import { changeSide, sidesOf } from "../store/sides.js";
import { explainStorage, join } from "./text.js";
import { span } from "./format.js";
import { useQuery, useStore } from "./hooks.js";
import { toast } from "./toast.js";

/**
 * How a feed stands; null for what is no breast feed, or where nothing is known of the side.
 * @param {import("../store/types").Kept} one
 */
export function useSides(one) {
  const store = useStore();
  const { type, event } = one;
  const found = useQuery(
    () => (type === "feeding" ? sidesOf(store, one) : Promise.resolve(null)),
    [one.id, one.time, event.side, event.last_side, event.left_minutes, event.right_minutes],
  );
  if (!found?.changes.length) return null;
  return { ...sidesAt(found.changes, now()), isTouched: found.isTouched };
}

/** @typedef {NonNullable<ReturnType<typeof useSides>>} Standing */

/**
 * "left 7 min, right 3 min".
 * @param {Pick<Standing, "left" | "right">} standing
 */
const sidesText = ({ left, right }) =>
  join(left && say("sides.left", { length: span(left) }), right && say("sides.right", { length: span(right) }));

/** @param {{one: import("../store/types").Kept, standing: Standing}} props */
export function Sides({ one, standing }) {
  const store = useStore();
  const { last, isPaused } = standing;
  if (!last) return null;
  const change = (/** @type {"left" | "right" | null} */ side) => () =>
    changeSide(store, one, side).catch((error) => toast(explainStorage(error)));
  return html`
    <div class="sides">
      ${standing.isTouched && html`<p class="soft">${sidesText(standing)}</p>`}
      <button type="button" class="button" onClick=${change(other(last))}>
        ${say(`sides.switch_${other(last)}`)}
      </button>
      <button type="button" class="button" onClick=${change(isPaused ? last : null)}>
        ${say(isPaused ? "sides.go_on" : "sides.pause")}
      </button>
    </div>
  `;
}
