// What is under way: a big row with its clock, and one Stop.

import { html, useState } from "../vendor/preact.js";
import { say } from "../words.js";
import { now, timestamp } from "../store/clock.js";
import { isUnderWay } from "../store/kinds.js";
import { edit } from "../store/log.js";
import { endFeed } from "../store/sides.js";
import { explainStorage, join, phrase, summary } from "./text.js";
import { clockText, span, ticking } from "./format.js";
import { fetched } from "./fetched.js";
import { useStore, useTick } from "./hooks.js";
import { Icon } from "./icons.js";
import { Sides, useSides } from "./sides.js";
import { toast } from "./toast.js";

const Pumped = fetched(() => import("./pumped.js").then((module) => module.Pumped));

/**
 * What each is called while it goes on, what to say when it was stopped, and what Stop says to whoever can't see the row.
 * @type {Record<string, (event: any) => {region: string, ended: (length: string) => string, stop: (child: any) => string}>}
 */
const names = {
  sleep: () => ({
    region: say("running.asleep"), ended: (length) => say("running.awake_after", { length }),
    stop: (child) => say("running.stop_sleep", { child: child.name }),
  }),
  feeding: () => ({
    region: say("running.feeding"), ended: (length) => say("running.fed_after", { length }), stop: () => say("running.stop_feed"),
  }),
  pumping: () => ({
    region: say("running.pumping"), ended: (length) => say("running.pumped_after", { length }), stop: () => say("running.stop_pumping"),
  }),
  activity: ({ name: what }) => ({
    region: what, ended: (length) => say("running.ended_after", { what, length }), stop: () => say("running.stop_activity", { what }),
  }),
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
          <p>${say("running.never_ended", { time: clockText(one.time), length: span(now() - one.time) })}${" "}
            <b>${say("running.say_when", { child: child.name })}</b></p>
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
  if (type === "sleep") return say("running.child_asleep", { child: child.name });
  if (type === "pumping") return say("running.pumping");
  if (!standing?.last) return summary(type, event);
  return join(say("word.type.breast"), phrase("side", standing.last), standing.isPaused && say("running.paused"));
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
        toast(ended(span(taken)), undo);
      } else {
        const at = timestamp(Math.max(now(), time));
        await edit(store, one, { ended_at: at });
        toast(ended(span(Date.parse(at) - time)), () => edit(store, one, { ended_at: null }));
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
        <p class="soft">${say("running.since", { time: clockText(time) })}</p>
      </div>
      ${canStop && html`<button type="button" class="button primary" onClick=${end} aria-label=${stop(child)}>${say("running.stop")}</button>`}
      ${canStop && standing && html`<${Sides} one=${one} standing=${standing} />`}
    </section>
  `;
}
