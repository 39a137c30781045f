// What the day adds up to, and the day at a glance.

import { html, useEffect, useMemo, useState } from "../vendor/preact.js";
import { say } from "../words.js";
import { addDays, dateOf } from "../model/days.js";
import { shownKinds } from "../store/cards.js";
import { now } from "../store/clock.js";
import { amount, dayText, span } from "./format.js";
import { useQuery, useStore } from "./hooks.js";
import { Icon } from "./icons.js";
import { join } from "./text.js";

/** The day's sums and the ribbon come after the first paint: nobody waits for them. */
function useParts() {
  const [parts, setParts] = useState(/** @type {any} */ (null));
  useEffect(() => {
    Promise.all([import("../model/dashboard.js"), import("../charts/ribbon.js"), import("./asked.js")]).then(
      ([{ dashboard, neededSince, neededUntil }, { Ribbon }, { Asked }]) =>
        setParts({ dashboard, neededSince, neededUntil, Ribbon, Asked }),
      () => {},
    );
  }, []);
  return parts;
}

const AFTER = 60; // ms: what was logged shows first

/** @param {{child: import("../store/types").StoredChild}} props */
export function Totals({ child }) {
  const store = useStore();
  const parts = useParts();
  const [back, setBack] = useState(0); // days before today
  const person = { timezone: store.account.timezone, dayStart: store.account.day_start_time };
  const today = dateOf(now(), person);
  const date = addDays(today, -back);
  const asked = { now: now(), ...person, date };
  const found = useQuery(
    async () => {
      if (!parts) return null;
      const range = { from: parts.neededSince(asked), to: parts.neededUntil(asked) };
      return { date, events: await store.events(child.id, range) };
    },
    [child.id, parts, asked.timezone, asked.dayStart, date, Math.floor(asked.now / 3_600_000)],
    AFTER,
  );
  // Of another day what is shown stays until the day that was asked for is there.
  const computed = useMemo(
    () => parts && found && parts.dashboard(found.events, { ...asked, date: found.date }),
    [parts, found, Math.floor(asked.now / 15_000)],
  );
  if (!found || !computed) return html`<div class="totals-place"></div>`;
  const { events } = found;
  const { day, totals } = computed;
  const { feedings, diapers, sleep } = totals;
  /** @type {Record<string, any[]>} */
  const numbers = {
    feeding: [say("totals.feeds"), feedings.count, [
      feedings.bottle_ml > 0 && amount(feedings.bottle_ml),
      feedings.breast_minutes > 0 && say("totals.breast", { length: span(feedings.breast_minutes * 60_000) }),
    ]],
    sleep: [say("totals.sleep"), span(sleep.minutes * 60_000), [
      sleep.count > 0 && say("totals.sleeps", { count: sleep.count }),
      sleep.longest_minutes > 0 && say("totals.longest", { length: span(sleep.longest_minutes * 60_000) }),
    ]],
    diaper: [say("totals.diapers"), diapers.count, [
      diapers.wet > 0 && say("totals.wet", { count: diapers.wet }), diapers.dirty > 0 && say("totals.dirty", { count: diapers.dirty }),
      diapers.mixed > 0 && say("totals.mixed", { count: diapers.mixed }),
    ]],
  };
  const [starts, ends] = [day.starts_at, day.ends_at];
  const pumped = events.filter((one) => one.type === "pumping" && one.at >= starts && one.at < ends);
  const milk = pumped.reduce((sum, one) => sum + (one.event.amount_ml ?? 0), 0);
  if (pumped.length) numbers.pumping = [say("totals.pumped"), amount(milk), [pumped.length > 1 && say("totals.times", { count: pumped.length })]];
  return html`
    <section class="totals-place" aria-labelledby="day-title">
      <header class="day-picker">
        <h2 id="day-title" aria-live="polite">${day.date === today ? say("totals.so_far") : dayText(day.date, today)}</h2>
        <button type="button" class="plain" aria-label=${say("totals.day_before")} onClick=${() => setBack(back + 1)}>
          <${Icon} name="back" />
        </button>
        <button type="button" class="plain" aria-label=${say("totals.day_after")} aria-disabled=${back === 0 ? "true" : undefined}
          onClick=${() => setBack(Math.max(0, back - 1))}><${Icon} name="next" /></button>
      </header>
      <dl class="totals">
        ${shownKinds().filter((kind) => numbers[kind]).map((kind) => numbers[kind]).map(
          ([label, value, more]) => html`<div key=${label}><dt>${label}</dt><dd><strong>${value}</strong><span class="soft">${join(...more)}</span></dd></div>`,
        )}
      </dl>
      <${parts.Ribbon} events=${events} day=${day} now=${asked.now} />
      ${back === 0 && html`<${parts.Asked} child=${child} />`}
    </section>
  `;
}
