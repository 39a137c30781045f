// What is under way: a big row with its clock, and one Stop.

import { html, useState } from "../vendor/preact.js";
import { now, timestamp } from "../store/clock.js";
import { isUnderWay } from "../store/kinds.js";
import { edit } from "../store/log.js";
import { endFeed } from "../store/sides.js";
import { explainStorage, phrase, summary } from "./text.js";
import { clockText, span, ticking } from "./format.js";
import { fetched } from "./fetched.js";
import { useStore, useTick } from "./hooks.js";
import { Icon } from "./icons.js";
import { Sides, useSides } from "./sides.js";
import { toast } from "./toast.js";

const Pumped = fetched(() => import("./pumped.js").then((module) => module.Pumped));

/**
 * What each is called while it goes on, what to say when it was stopped, and what Stop says to whoever can't see the row.
 * @type {Record<string, (event: any) => {region: string, ended: string, stop: (child: any) => string}>}
 */
const names = {
  sleep: () => ({ region: "Asleep", ended: "Awake", stop: (child) => `${child.name} is awake` }),
  feeding: () => ({ region: "Feeding", ended: "Feed ended", stop: () => "feed ended" }),
  pumping: () => ({ region: "Pumping", ended: "Pumped", stop: () => "pumping ended" }),
  activity: (event) => ({ region: event.name, ended: `${event.name} ended`, stop: () => `${event.name} ended` }),
};

/** @param {{open: import("../store/types").Kept[], child: import("../store/types").StoredChild, last: any, canStop: boolean}} props */
export function Running({ open, child, last, canStop }) {
  const [pumped, setPumped] = useState(/** @type {any} */ (null));
  const forgotten = open.filter((one) => one.type === "sleep" && !isUnderWay(one, now()));
  return html`
    ${open
      .filter((one) => isUnderWay(one, now()))
      .map((one) => html`<${Row} key=${one.id} one=${one} child=${child} canStop=${canStop} onStopped=${() => one.type === "pumping" && setPumped(one)} />`)}
    ${canStop &&
    forgotten.map(
      (one) => html`
        <a class="notice" key=${one.id} href="#/timeline/${one.id}">
          <p>A sleep from ${clockText(one.time)}, ${span(now() - one.time)} ago, never ended. <b>Say when ${child.name} woke up</b></p>
          <${Icon} name="next" />
        </a>
      `,
    )}
    ${pumped && html`<${Pumped} one=${pumped} offered=${last.pumped?.event.amount_ml ?? null} onClose=${() => setPumped(null)} />`}
  `;
}

/**
 * @param {import("../store/types").Kept} one @param {any} child @param {import("./sides.js").Standing | null} standing
 */
function said({ type, event }, child, standing) {
  if (type === "sleep") return `${child.name} is asleep`;
  if (type === "pumping") return "Pumping";
  if (!standing?.last) return summary(type, event);
  return `Breast, ${phrase("side", standing.last)}${standing.isPaused ? ", paused" : ""}`;
}

/** @param {any} props */
function Row({ one, child, canStop, onStopped }) {
  const store = useStore();
  useTick(1_000);
  const { type, event, time } = one;
  const { region, ended, stop } = names[type](event);
  const standing = useSides(one);
  const taken = standing?.isTouched ? standing.left + standing.right : now() - time;
  const end = async () => {
    try {
      if (type === "feeding") {
        const { taken, undo } = await endFeed(store, one);
        toast(`${ended} after ${span(taken)}`, undo);
      } else {
        const at = timestamp(Math.max(now(), time));
        await edit(store, one, { ended_at: at });
        toast(`${ended} after ${span(Date.parse(at) - time)}`, () => edit(store, one, { ended_at: null }));
      }
      onStopped();
    } catch (error) {
      toast(explainStorage(error));
    }
  };
  return html`
    <section class=${`running ${type}`} aria-label=${region}>
      <${Icon} name=${type === "feeding" ? "breast" : type} />
      <div>
        <p>${said(one, child, standing)}</p>
        <p class="clock" role="timer" aria-label=${span(taken)}>${ticking(taken)}</p>
        <p class="soft">since ${clockText(time)}</p>
      </div>
      ${canStop && html`<button type="button" class="button primary" onClick=${end} aria-label=${`Stop: ${stop(child)}`}>Stop</button>`}
      ${canStop && standing && html`<${Sides} one=${one} standing=${standing} />`}
    </section>
  `;
}
