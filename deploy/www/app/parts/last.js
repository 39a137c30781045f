// The last of each kind, and how long ago: what is asked first at night.

import { html, useState } from "../vendor/preact.js";
import { say, sayIf } from "../words.js";
import { countedFrom, feedToCountFrom, wholeFeed } from "../model/feeds.js";
import { device } from "../store/account.js";
import { cards, shownKinds } from "../store/cards.js";
import { isOpen } from "../store/kinds.js";
import { join, summary } from "./text.js";
import { ago, amount, clockText, rangeText } from "./format.js";
import { Bell } from "./bell.js";
import { Icon } from "./icons.js";

const told = new Set(["feeding", "sleep", "diaper", "pumping", "medication", "temperature"]);
const always = new Set(["feeding", "sleep", "diaper"]);
const canRemind = ["feeding", "sleep", "diaper", "pumping"];
const MEDICINES = 3;
const DAYS = 3 * 86_400_000;

/** @typedef {import("../store/types").Kept} Kept */

/** @param {string} type @param {any} event */
const iconOf = (type, event) => (type === "feeding" && event?.type === "breast" ? "breast" : type === "feeding" && event?.type === "solid" ? "solid" : type);

/**
 * The feed that the count is from, as this device was told, with the bottles that belong to it.
 * @param {{last: Record<string, Kept | null>, recent: Record<string, Kept[]>}} latest
 * @returns {{first: Kept | null, bottles: Kept[]}}
 */
export function lastFeed({ last, recent }) {
  const counted = feedToCountFrom(recent.feeding, last.feeding, device().feeds?.solids === true);
  return wholeFeed(recent.feeding, counted) ?? { first: null, bottles: [] };
}

/**
 * When the wait for the next began: a sleep's at its end, a feed's as this device was told.
 * @param {Kept} one
 */
export const since = ({ type, time, event }) =>
  countedFrom({ time, event }, type === "sleep" || (type === "feeding" && device().feeds?.fromEnd === true));

/** @param {Kept} one */
const when = (one) =>
  one.type === "feeding" && one.event.ended_at ? rangeText(one.time, one.event.ended_at) : clockText(since(one));

/**
 * "Breast, left, then 60 ml".
 * @param {any} first @param {Kept[]} bottles
 */
const feedText = (first, bottles) =>
  join(summary("feeding", first), ...bottles.map(({ event: { amount_ml: ml } }) =>
    ml ? say("last.then_amount", { amount: amount(ml) }) : say("last.then_bottle")));

/** @param {Kept} one @param {Kept[]} bottles */
function lineOf({ type, event }, bottles) {
  if (type === "feeding") return feedText(event, bottles);
  return type === "pumping" ? event.amount_ml && amount(event.amount_ml) : summary(type, event);
}

/**
 * @param {{last: any, solid: Kept | null, bottles: Kept[], doses: Kept[], now: number, isAsleep: boolean, told: Set<string>,
 *   onBell: (on: string) => void}} props
 *   `solid`: the last solids, where they are not what the feeds are counted from; `bottles`: those that belong to the
 *   last feed; `told`: what has a reminder. A sleep that goes on has a row of its own above
 */
export function Last({ last, solid, bottles, doses, now, isAsleep, told: reminded, onBell }) {
  const [isWhole, setWhole] = useState(false);
  const isShown = (/** @type {string} */ type) => {
    if (always.has(type)) return !(isAsleep && type === "sleep");
    if (type === "pumping" && last[type] && isOpen(type, last[type].event)) return false; // it has a row above
    return type === "medication" || (last[type] && now - last[type].time < DAYS);
  };
  const more = doses.length - MEDICINES;
  const medicines = () => html`
    ${(isWhole ? doses : doses.slice(0, MEDICINES)).map(
      ({ id, event }, place) => html`<${Row} key=${id} type="medication" one=${doses[place]} label=${event.name}
        line=${event.dose} now=${now} />`,
    )}
    ${more > 0 && !isWhole && html`<button type="button" class="row-button" key="more" onClick=${() => setWhole(true)}>
      ${say("last.more_medicines", { count: more })}
    </button>`}
  `;
  const solids = solid && cards().shown.includes("solid") &&
    html`<${Row} key="solid" type="feeding" one=${solid} label=${say("last.solids")} line=${solid.event.food} now=${now} />`;
  const row = (/** @type {string} */ type) => {
    const one = last[type];
    const label = one && type === "sleep" && isOpen(type, one.event) ? say("last.fell_asleep") : sayIf("last.label", type);
    const line = one && lineOf(one, bottles);
    const bell = one && canRemind.includes(type) && html`<${Bell} label=${sayIf("last.bell", type)} isOn=${reminded.has(type)} onTap=${() => onBell(type)} />`;
    return html`<${Row} key=${type} type=${type} one=${one} label=${label} line=${line} now=${now} bell=${bell} />`;
  };
  return html`
    <section class="last" aria-label=${say("last.of_each")}>
      ${shownKinds().filter((type) => told.has(type) && isShown(type)).map((type) =>
        type === "medication" ? medicines() : [row(type), type === "feeding" && solids])}
    </section>
  `;
}

/** @param {{type: string, one: Kept | null, label: string, line: string | null, now: number, bell?: any}} props */
const Row = ({ type, one, label, line, now, bell = null }) => html`
  <div class=${type}>
    <a href=${one ? `#/timeline/${one.id}` : "#/timeline"}>
      <${Icon} name=${iconOf(type, one?.event)} />
      <span class="said">
        <bdi class="what">${label}</bdi> <strong>${one ? ago(since(one), now) : say("last.nothing_yet")}</strong>
      </span>
      ${one && html`<span class="soft">${[line, when(one)].filter(Boolean).join(" · ")}</span>`}
    </a>
    ${bell}
  </div>
`;
