// The bell: after what time this person is told. Here, and only here, the browser asks whether it may.

import { html, useState } from "../vendor/preact.js";
import { say } from "../words.js";
import { isAbout, remind, reminders } from "../store/reminders.js";
import { canPush, needsHomeScreen, permission, standing, turnOn } from "../sync/push.js";
import { durationText } from "../charts/words.js";
import { explain, explainStorage, texts } from "../parts/text.js";
import { useQuery, useServer, useStore, useWork } from "../parts/hooks.js";
import { toast } from "../parts/toast.js";
import { Choice, Problem, Sheet } from "../parts/ui.js";
import { HomeScreen } from "./home-screen.js";

/** @param {number} count */
const hours = (count) => {
  const [hours, minutes] = [Math.floor(count / 60), count % 60];
  return hours && minutes === 30 ? say("length.hours_and_half", { hours }) : durationText(count);
};
/** @type {Record<string, {what: import("../words.js").Id, offered: number[]}>} */
const kinds = {
  feeding: { what: "remind.after_feed", offered: [120, 150, 180, 240] },
  diaper: { what: "remind.after_diaper", offered: [120, 150, 180, 240] },
  sleep: { what: "remind.after_waking", offered: [60, 90, 120, 150, 180, 240] },
  pumping: { what: "remind.after_pumping", offered: [120, 150, 180, 240] },
};

/** @param {{about: any, child: import("../store/types").StoredChild, onClose: () => void}} props */
export function Remind({ about: { name, ...about }, child, onClose }) {
  const store = useStore();
  const found = useQuery(async () => (await reminders(store)).find((one) => isAbout(one, about)) ?? null, []);
  const [isBusy, problem, run] = useWork(explain);
  const key = useServer()?.push_key;
  const here = useQuery(() => standing(store), []);
  const [picked, setPicked] = useState(/** @type {any} */ (undefined));
  const set = (/** @type {any} */ how) => {
    // At the tap itself: a browser asks nobody who has not just done something.
    if (how && key && canPush() && permission() !== "denied" && here?.state !== "on") run(() => turnOn(store));
    setPicked(how); // shown at once, however often somebody changes their mind; what can't be kept goes back
    remind(store, about, how).catch((error) => {
      setPicked(undefined);
      toast(explainStorage(error));
    });
  };
  if (found === undefined || here === undefined) return null;
  const offered = about.plan_id ? [] : [...new Set([...kinds[about.on].offered, found?.after_minutes ?? 120])];
  const options = about.plan_id
    ? [[null, say("remind.off")], [0, say("remind.when_due")]]
    : [[null, say("remind.off")], ...offered.sort((a, b) => a - b).map((count) => [count, hours(count)])];
  const label = about.plan_id ? say("remind.a_dose", { name }) : say(kinds[about.on].what, { child: child.name });
  const shown = picked === undefined ? found : picked;
  const value = shown === null ? null : (shown.after_minutes ?? 0);
  const choose = (/** @type {number | null} */ count) => set(count === null ? null : count ? { after_minutes: count } : {});
  return html`
    <${Sheet} title=${say("remind.title")} onClose=${onClose}>
      <${Choice} label=${label} options=${options} value=${value} onChange=${choose} />
      <p class="hint">${say("remind.every_time")}</p>
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
  if (hasKey && state === "on") return html`<p>${say("remind.tells_quietly")}</p>`;
  const here = say("remind.shows_on_today");
  if (hasKey && permission() === "denied") {
    return html`<p>${here} ${say("told.denied")}</p>`;
  }
  return html`<p>${here}${hasKey && state === "waiting" && ` ${texts.toldSoon(problem)}`}</p>`;
}
