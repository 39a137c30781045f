// Pumped milk that nobody has drunk yet, of all children of the family: milk has no name on it.

import { html, useMemo } from "../vendor/preact.js";
import { say } from "../words.js";
import { KEEPS, milkStash } from "../model/milk.js";
import { addDays, dateOf } from "../model/days.js";
import { now } from "../store/clock.js";
import { inTimeline } from "../store/merge.js";
import { amount, dayText } from "./format.js";
import { useQuery, useStore } from "./hooks.js";

const USED = ["feeding", "discard"];

export function Stash() {
  const store = useStore();
  const { children } = store.family;
  const found = useQuery(async () => {
    const from = now() - KEEPS;
    const pumped = (await Promise.all(children.map(({ id }) => store.recent(id, "pumping", from)))).flat();
    if (!pumped.length) return null;
    const since = Math.min(...pumped.map(({ time }) => time));
    const used = await Promise.all(children.flatMap(({ id }) => USED.map((kind) => store.recent(id, kind, since))));
    return [...pumped, ...used.flat()].map(inTimeline);
  }, [children.map(({ id }) => id).join()]);
  const stash = useMemo(() => found && milkStash(found, now()), [found]);
  if (!stash) return null;
  const { timezone, day_start_time: dayStart } = store.account;
  const day = (/** @type {string | number} */ time) => dateOf(+new Date(time), { timezone, dayStart });
  const [oldest, today] = [stash.oldest && day(stash.oldest), day(now())];
  const id = oldest === today ? "stash.oldest_today" : oldest === addDays(today, -1) ? "stash.oldest_yesterday" : "stash.oldest";
  return html`<p class="hint stash">
    ${oldest ? say(id, { amount: amount(stash.ml), day: dayText(oldest, today) }) : say("stash.all_given")}
  </p>`;
}
