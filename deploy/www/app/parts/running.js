// What is under way: a big row with its clock, and one Stop.

import { html } from "../vendor/preact.js";
import { now, timestamp } from "../sync/clock.js";
import { edit } from "../store/log.js";
import { explainStorage, summary } from "../text.js";
import { clockText, span, ticking } from "./format.js";
import { useStore, useTick } from "./hooks.js";
import { Icon } from "./icons.js";
import { toast } from "./toast.js";

const HOUR = 3_600_000;

/**
 * A sleep goes on for a day at most, a feed for four hours; then somebody forgot to say that it ended.
 * @param {any} one
 */
export const isUnderWay = ({ type, time }) => now() - time < (type === "sleep" ? 24 : 4) * HOUR;

/** @param {{open: any[], child: any, canStop: boolean}} props */
export function Running({ open, child, canStop }) {
  const running = open.filter(isUnderWay);
  const forgotten = open.filter((one) => one.type === "sleep" && !isUnderWay(one));
  return html`
    ${running.map((one) => html`<${Row} key=${one.id} one=${one} child=${child} canStop=${canStop} />`)}
    ${canStop &&
    forgotten.map(
      (one) => html`
        <a class="notice" key=${one.id} href="#/timeline/${one.id}">
          <p>A sleep from ${clockText(one.time)}, ${span(now() - one.time)} ago, never ended. <b>Say when ${child.name} woke up</b></p>
          <${Icon} name="next" />
        </a>
      `,
    )}
  `;
}

/** @param {any} props */
function Row({ one, child, canStop }) {
  const store = useStore();
  useTick(1_000);
  const isSleep = one.type === "sleep";
  const stop = async () => {
    try {
      const ended = timestamp(Math.max(now(), one.time));
      await edit(store, one.id, { ended_at: ended });
      toast(`${isSleep ? "Awake" : "Feed ended"} after ${span(Date.parse(ended) - one.time)}`, () => edit(store, one.id, { ended_at: null }));
    } catch (error) {
      toast(explainStorage(error));
    }
  };
  return html`
    <section class=${`running ${one.type}`} aria-label=${isSleep ? "Asleep" : "Feeding"}>
      <${Icon} name=${isSleep ? "sleep" : "breast"} />
      <div>
        <p>${isSleep ? `${child.name} is asleep` : summary(one.type, one.event)}</p>
        <p class="clock" role="timer" aria-label=${span(now() - one.time)}>${ticking(now() - one.time)}</p>
        <p class="soft">since ${clockText(one.time)}</p>
      </div>
      ${canStop && html`<button type="button" class="button primary" onClick=${stop} aria-label=${`Stop: ${isSleep ? `${child.name} is awake` : "feed ended"}`}>Stop</button>`}
    </section>
  `;
}
