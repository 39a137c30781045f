// While you were away: what others logged since this person last looked, in one line, gone with a tap.

import { html, useEffect, useRef, useState } from "../vendor/preact.js";
import { say, sayIf } from "../words.js";
import { whileAway } from "../model/away.js";
import { now } from "../store/clock.js";
import { keepLooked, lookedAt } from "../store/looked.js";
import { amount, clockText, dateOf, momentText, span } from "./format.js";
import { useQuery, useStore } from "./hooks.js";
import { Icon } from "./icons.js";
import { join } from "./text.js";

const DAYS = 2 * 86_400_000; // what is logged later than that is an import

const timed = new Set(["nap", "night", "sleep"]);

/** @param {import("../model/away.js").Sum} sum "2 bottles (240 ml)" */
function sumText({ what, count, ml, lasted }) {
  const counted = sayIf("away.sum", what, { count }) ?? say("away.other", { count });
  if (ml) return say("away.with_amount", { what: counted, amount: amount(ml) });
  if (!timed.has(what) || lasted < 60_000) return counted;
  return say(count === 1 ? "away.one_of_length" : "away.several_of_length", { what: counted, length: span(lasted) });
}

/** @param {import("../model/away.js").Person} person */
export const personText = ({ name, sums }) =>
  say(name ? "away.person" : "away.someone", { name, list: join(...sums.map(sumText)) });

/** @param {{child: import("../store/types").StoredChild}} props */
export function Away({ child }) {
  const store = useStore();
  const me = store.account.id;
  const [opened, setOpened] = useState(now);
  const found = useQuery(async () => {
    const since = await lookedAt(store, child.id);
    if (since === undefined) {
      await keepLooked(store, child.id, opened).catch(() => {}); // a full storage: it is told another time
      return null;
    }
    const all = await store.events(child.id, { from: since - DAYS });
    const timed = all.map(({ type, at, event }) => ({ type, time: Date.parse(at), event }));
    const people = whileAway(timed, me, { since, until: opened });
    return { child: child.id, since, people };
  }, [child.id, opened]);
  const shown = found?.child === child.id && found.people.length ? found : null;
  const isShown = useRef(false);
  isShown.current = shown !== null;
  useEffect(() => {
    const left = () => {
      if (isShown.current || store.isClosed || store.heardAt <= opened) return;
      keepLooked(store, child.id, store.heardAt).catch(() => {}); // then it is told once more
    };
    const look = () => (document.visibilityState === "visible" ? setOpened(now()) : left());
    document.addEventListener("visibilitychange", look);
    return () => {
      document.removeEventListener("visibilitychange", look);
      left();
    };
  }, [child.id, opened]);
  // What is on its way while this device hears nothing is told when it comes.
  const gone = async () => {
    await keepLooked(store, child.id, Math.max(store.heardAt, ...(shown?.people ?? []).map(({ latest }) => latest)));
    setOpened(now());
  };
  const since = shown && (dateOf(shown.since) === dateOf(now()) ? clockText(shown.since) : momentText(shown.since));
  return html`
    <div class="notices" role="status">
      ${shown &&
      html`
        <div class="notice away">
          <details><summary>${say("away.since", { time: since, people: shown.people.map(personText).join(". ") })}</summary></details>
          <button type="button" class="plain" aria-label=${say("common.dismiss")} onClick=${gone}><${Icon} name="close" /></button>
        </div>
      `}
    </div>
  `;
}
