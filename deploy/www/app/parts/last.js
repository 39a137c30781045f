// The last of each kind, and how long ago: what is asked first at night.

import { html } from "../vendor/preact.js";
import { isOpen } from "../store/kinds.js";
import { summary } from "./text.js";
import { clockText, span } from "./format.js";
import { Icon } from "./icons.js";

const shown = ["feeding", "sleep", "diaper", "medication", "temperature"];
const always = new Set(["feeding", "sleep", "diaper"]);
/** @type {Record<string, string>} */
const labels = { feeding: "Fed", sleep: "Woke up", diaper: "Changed", medication: "Medicine", temperature: "Temperature" };

/** @param {string} type @param {any} event */
const iconOf = (type, event) => (type === "feeding" && event?.type === "breast" ? "breast" : type === "feeding" && event?.type === "solid" ? "solid" : type);

/**
 * When the wait for the next began: a sleep's at its end, a feed's at its start.
 * @param {any} one
 */
const since = (one) => (one.type === "sleep" && one.event.ended_at ? Date.parse(one.event.ended_at) : one.time);

/** @param {{last: any, now: number, isAsleep: boolean}} props a sleep that goes on has a row of its own above */
export function Last({ last, now, isAsleep }) {
  const rows = shown.filter((type) => (always.has(type) && !(isAsleep && type === "sleep")) || (!always.has(type) && last[type] && now - last[type].time < 3 * 86_400_000));
  return html`
    <section class="last" aria-label="Last of each">
      ${rows.map((type) => {
        const one = last[type];
        return html`
          <a key=${type} class=${type} href=${one ? `#/timeline/${one.id}` : "#/timeline"}>
            <${Icon} name=${iconOf(type, one?.event)} />
            <span class="what">${one && type === "sleep" && isOpen(type, one.event) ? "Fell asleep" : labels[type]}</span>
            <strong>${!one ? "Nothing yet" : now - since(one) < 60_000 ? "just now" : `${span(now - since(one))} ago`}</strong>
            ${one && html`<span class="soft">${summary(type, one.event)} · ${clockText(since(one))}</span>`}
          </a>
        `;
      })}
    </section>
  `;
}
