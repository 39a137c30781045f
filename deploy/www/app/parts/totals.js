// What the day adds up to, and the day at a glance.

import { html, useEffect, useMemo, useState } from "../vendor/preact.js";
import { now } from "../store/clock.js";
import { amount, span } from "./format.js";
import { useQuery, useStore } from "./hooks.js";

/** The day's sums and the ribbon come after the first paint: nobody waits for them. */
function useParts() {
  const [parts, setParts] = useState(/** @type {any} */ (null));
  useEffect(() => {
    Promise.all([import("../model/dashboard.js"), import("../charts/ribbon.js")]).then(
      ([{ dashboard, neededSince }, { Ribbon }]) => setParts({ dashboard, neededSince, Ribbon }), () => {},
    );
  }, []);
  return parts;
}

const AFTER = 60; // ms: what was logged shows first

/** @param {{child: import("../store/types").StoredChild}} props */
export function Totals({ child }) {
  const store = useStore();
  const parts = useParts();
  const asked = { now: now(), timezone: store.account.timezone, dayStart: store.account.day_start_time };
  const events = useQuery(
    () => (parts ? store.events(child.id, { from: parts.neededSince(asked) }) : Promise.resolve(null)),
    [child.id, parts, asked.timezone, asked.dayStart, Math.floor(asked.now / 3_600_000)],
    AFTER,
  );
  const computed = useMemo(() => parts && events && parts.dashboard(events, asked), [parts, events, Math.floor(asked.now / 15_000)]);
  if (!computed) return html`<div class="totals-place"></div>`;
  const { day, totals } = computed;
  const { feedings, diapers, sleep } = totals;
  const numbers = [
    ["Feeds", feedings.count, [feedings.bottle_ml > 0 && amount(feedings.bottle_ml), feedings.breast_minutes > 0 && `${span(feedings.breast_minutes * 60_000)} breast`]],
    ["Sleep", span(sleep.minutes * 60_000), [sleep.count > 0 && `${sleep.count} ${sleep.count === 1 ? "sleep" : "sleeps"}`, sleep.longest_minutes > 0 && `longest ${span(sleep.longest_minutes * 60_000)}`]],
    ["Diapers", diapers.count, [diapers.wet > 0 && `${diapers.wet} wet`, diapers.dirty > 0 && `${diapers.dirty} dirty`, diapers.mixed > 0 && `${diapers.mixed} mixed`]],
  ];
  const [starts, ends] = [day.starts_at, day.ends_at];
  const pumped = (events ?? []).filter((one) => one.type === "pumping" && one.at >= starts && one.at < ends);
  const milk = pumped.reduce((sum, one) => sum + (one.event.amount_ml ?? 0), 0);
  if (pumped.length) numbers.push(["Pumped", amount(milk), [pumped.length > 1 && `${pumped.length} times`]]);
  return html`
    <section class="totals-place" aria-labelledby="day-title">
      <h2 id="day-title">The day so far</h2>
      <dl class="totals">
        ${numbers.map(
          ([label, value, more]) => html`<div key=${label}><dt>${label}</dt><dd><strong>${value}</strong><span class="soft">${more.filter(Boolean).join(", ")}</span></dd></div>`,
        )}
      </dl>
      <${parts.Ribbon} events=${events} day=${day} now=${asked.now} />
    </section>
  `;
}
