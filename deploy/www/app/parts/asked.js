// What a family asks in the night, in words.

import { html, useMemo } from "../vendor/preact.js";
import { say } from "../words.js";
import { askedInTheNight, DAYS } from "../model/asked.js";
import { now } from "../store/clock.js";
import { inTimeline } from "../store/merge.js";
import { ago, span } from "./format.js";
import { useQuery, useStore } from "./hooks.js";

const AFTER = 60; // ms: what was logged shows first
const KINDS = ["feeding", "sleep", "diaper"];

/** @param {{child: import("../store/types").StoredChild}} props */
export function Asked({ child }) {
  const store = useStore();
  const { timezone, day_start_time: dayStart } = store.account;
  const found = useQuery(async () => {
    const from = now() - DAYS * 86_400_000;
    return (await Promise.all(KINDS.map((kind) => store.recent(child.id, kind, from)))).flat().map(inTimeline);
  }, [child.id], AFTER);
  const minute = Math.floor(now() / 60_000);
  const asked = useMemo(
    () => found && askedInTheNight(found, { now: now(), timezone, dayStart, born: child.date_of_birth }),
    [found, minute, timezone, dayStart, child.date_of_birth],
  );
  const lines = asked ? linesOf(asked) : [];
  return lines.length > 0 && html`<ul class="soft asked" aria-label=${say("asked.at_a_glance")}>
    ${lines.map((line) => html`<li>${line}</li>`)}</ul>`;
}

/** @param {ReturnType<typeof askedInTheNight>} asked */
function linesOf({ feeds_24h: feeds, longest_sleep: { this_week_minutes: here, last_week_minutes: before }, wet_at }) {
  const length = (/** @type {number} */ minutes) => span(minutes * 60_000);
  return [
    feeds > 0 && say("asked.feeds", { count: feeds }),
    here > 0 && (before > 0 ? say("asked.longest_sleep_compared", { length: length(here), before: length(before) })
      : say("asked.longest_sleep", { length: length(here) })),
    wet_at && say("asked.last_wet", { ago: ago(wet_at) }),
  ].filter(Boolean);
}
