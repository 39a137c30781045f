// When the next feed and sleep may come: what was usual in the last seven days, and no advice.

import { html, useMemo } from "../vendor/preact.js";
import { say } from "../words.js";
import { nextFeed, nextSleep } from "../model/next.js";
import { device } from "../store/account.js";
import { now } from "../store/clock.js";
import { inTimeline } from "../store/merge.js";
import { clockText, span } from "./format.js";
import { useQuery, useStore } from "./hooks.js";

const DAYS = 8 * 86_400_000;
const AFTER = 60; // ms: what was logged shows first
const ABOUT = 10 * 60_000;

/** @param {number} at to ten minutes @param {(tens: number) => number} round */
const about = (at, round = Math.round) => clockText(round(at / ABOUT) * ABOUT);

/** @param {import("../model/next.js").Expected} expected "about 4:10 PM (3:40 PM to 5:00 PM)" */
function when({ at, from, to }) {
  const [first, last] = [about(from, Math.floor), about(to, Math.ceil)];
  const time = about(at);
  return first === last ? say("next.about", { time }) : say("next.about_between", { time, from: first, to: last });
}

/** @param {{child: import("../store/types").StoredChild, isFeeding: boolean}} props */
export function Next({ child, isFeeding }) {
  const store = useStore();
  const isOff = device().next === false;
  const found = useQuery(
    async () => {
      if (isOff) return [];
      const of = (/** @type {string} */ type) => store.recent(child.id, type, now() - DAYS);
      return (await Promise.all([of("feeding"), of("sleep")])).flat().map(inTimeline);
    },
    [child.id, isOff],
    AFTER,
  );
  const minute = Math.floor(now() / 30_000);
  const feed = useMemo(() => found && nextFeed(found, now()), [found, minute]);
  const sleep = useMemo(() => found && nextSleep(found, now()), [found, minute]);
  const lines = [
    feed && !isFeeding && say("next.feed", { when: when(feed) }),
    sleep && say("next.sleep", { length: span(now() - sleep.since), when: when(sleep) }),
  ].filter(Boolean);
  return lines.length > 0 &&
    html`<ul class="next soft" aria-label=${say("next.label")}>${lines.map((line) => html`<li>${line}</li>`)}</ul>`;
}
