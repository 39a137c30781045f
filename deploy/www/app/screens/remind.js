// The bell: after what time this person is told. Here, and only here, the browser asks whether it may.

import { html, useState } from "../vendor/preact.js";
import { isAbout, remind, reminders } from "../store/reminders.js";
import { canPush, needsHomeScreen, permission, standing, turnOn } from "../sync/push.js";
import { GAP } from "../store/locale.js";
import { explain, explainStorage, texts } from "../parts/text.js";
import { useQuery, useServer, useStore, useWork } from "../parts/hooks.js";
import { toast } from "../parts/toast.js";
import { Choice, Problem, Sheet } from "../parts/ui.js";
import { HomeScreen } from "./home-screen.js";

/** @param {number} count */
const hours = (count) => {
  const [whole, half] = [Math.floor(count / 60), count % 60];
  if (half === 30) return `${whole}½${GAP}h`;
  return [whole && `${whole}${GAP}h`, half && `${half}${GAP}min`].filter(Boolean).join(GAP);
};
/** @type {Record<string, {what: (name: string) => string, offered: number[]}>} */
const kinds = {
  feeding: { what: (name) => `After the start of ${name}’s last feed`, offered: [120, 150, 180, 240] },
  diaper: { what: (name) => `After ${name}’s last diaper`, offered: [120, 150, 180, 240] },
  sleep: { what: (name) => `After ${name} has been awake for`, offered: [60, 90, 120, 150, 180, 240] },
  pumping: { what: () => "After the start of the last pumping", offered: [120, 150, 180, 240] },
};

/** @param {{about: any, child: import("../store/types").StoredChild, onClose: () => void}} props */
export function Remind({ about: { name, ...about }, child, onClose }) {
  const store = useStore();
  const found = useQuery(async () => (await reminders(store)).find((one) => isAbout(one, about)) ?? null, []);
  const [isBusy, problem, run] = useWork(explain);
  const key = useServer()?.push_key;
  const here = useQuery(() => standing(store), []);
  const set = (/** @type {any} */ how) => {
    // At the tap itself: a browser asks nobody who has not just done something.
    if (how && key && canPush() && permission() !== "denied" && here?.state !== "on") run(() => turnOn(store));
    return remind(store, about, how).catch((error) => toast(explainStorage(error)));
  };
  if (found === undefined || here === undefined) return null;
  const offered = about.plan_id ? [] : [...new Set([...kinds[about.on].offered, found?.after_minutes ?? 120])];
  const options = about.plan_id
    ? [[null, "Off"], [0, "When it’s due"]]
    : [[null, "Off"], ...offered.sort((a, b) => a - b).map((count) => [count, hours(count)])];
  const label = about.plan_id ? `A dose of ${name}` : kinds[about.on].what(child.name);
  const value = found === null ? null : (found.after_minutes ?? 0);
  const choose = (/** @type {number | null} */ count) => set(count === null ? null : count ? { after_minutes: count } : {});
  return html`
    <${Sheet} title="Tell me" onClose=${onClose}>
      <${Choice} label=${label} options=${options} value=${value} onChange=${choose} />
      <p class="hint">Every time, for you alone, until you turn it off.</p>
      <${Problem} text=${problem} />
      ${found && !isBusy && html`<${How} here=${here} hasKey=${Boolean(key)} />`}
    <//>
  `;
}

/**
 * Where this person will see it.
 * @param {{here: {state: string, problem: string}, hasKey: boolean}} props
 */
function How({ here: { state, problem }, hasKey }) {
  if (hasKey && needsHomeScreen()) return html`<${HomeScreen} />`;
  if (hasKey && state === "on") return html`<p>This device will tell you, quietly, even while Baby Basics is closed.</p>`;
  const here = "It shows on Today when it’s due, while Baby Basics is open.";
  if (hasKey && permission() === "denied") {
    return html`<p>${here} This browser shows no notifications of Baby Basics. If you change your mind, allow them in its settings.</p>`;
  }
  return html`<p>${here}${hasKey && state === "waiting" && ` ${texts.toldSoon(problem)}`}</p>`;
}
