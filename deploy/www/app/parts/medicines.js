// Plans of medicine on Today: what is due, with one tap to give it.

import { html, useState } from "../vendor/preact.js";
import { say } from "../words.js";
import { holds, standing, tooNear, tooNearBy } from "../model/plans.js";
import { now, timestamp } from "../store/clock.js";
import { logFor, remove } from "../store/log.js";
import { useStore } from "./hooks.js";
import { ago, clockText } from "./format.js";
import { Icon } from "./icons.js";
import { Near } from "./near.js";
import { Bell } from "./bell.js";
import { Pairs, see } from "./pairs.js";
import { explainStorage, summary, texts } from "./text.js";
import { toast } from "./toast.js";
import { Button } from "./ui.js";
import { dateOf } from "../model/days.js";

/** @typedef {import("../store/types").Kept} Kept */

const DAY = 86_400_000;
const SINCE = 9 * DAY; // the longest between two doses is a week
const SOON = 30 * 60_000;
const SHOWN = DAY / 2; // before it is due: at three in the morning the next one is of the day to come

/** @param {import("../store/account.js").Account} account */
export const personOf = ({ timezone, day_start_time }) => ({ timezone, dayStart: day_start_time });

/**
 * A child's plans, and what it was given lately.
 * @param {import("../store/store.js").Store} store @param {string} child
 */
export async function medicinesOf(store, child) {
  const [plans, given] = await Promise.all([store.plans(child), store.recent(child, "medication", now() - SINCE)]);
  return { plans: plans.sort((a, b) => a.event.name.localeCompare(b.event.name)), given };
}

/**
 * How the plans stand that have a dose today or in the hours to come, the earliest first.
 * @param {{plans: Kept[], given: Kept[]}} medicines @param {import("../store/account.js").Account} account
 */
export function dosesOf({ plans, given }, account) {
  const [at, person] = [now(), personOf(account)];
  const today = dateOf(at, person);
  return plans
    .map(({ event }) => /** @type {any} */ (event))
    .filter((plan) => holds(plan, today))
    .map((plan) => ({ plan, ...standing(plan, given, at, person) }))
    .filter(({ next_at }) => next_at !== null && (next_at <= at + SHOWN || dateOf(next_at, person) <= today))
    .map((one) => ({ ...one, isDue: Number(one.next_at) <= at + SOON }))
    .sort((a, b) => Number(a.next_at) - Number(b.next_at));
}

/**
 * Doses that this person gave too near to others.
 * @param {{medicines: {plans: Kept[], given: Kept[]}}} props
 */
export function TooNear({ medicines: { plans, given } }) {
  const { account } = useStore();
  const today = dateOf(now(), personOf(account));
  const known = plans.map(({ event }) => /** @type {any} */ (event)).filter((plan) => holds(plan, today));
  const pairs = tooNearBy(known, given, account.id, now() - DAY, personOf(account));
  const text = (/** @type {any} */ { one, other, code }) => texts.nearDose(one, { code, other }, account.id);
  return html`<${Pairs} pairs=${pairs} text=${text} />`;
}

/**
 * @param {{label: string, kind?: string, doses: ReturnType<typeof dosesOf>, given: Kept[],
 *   child: import("../store/types").StoredChild, canGive: boolean, isTwin: boolean, told: Set<string>,
 *   onOpen: (plan: any) => void, onBell: (plan: any) => void}} props `told`: plans with a reminder
 */
export function Doses({ label, kind = "", doses, given, child, canGive, isTwin, told, onOpen, onBell }) {
  const store = useStore();
  const [asked, ask] = useState(/** @type {any} */ (null));
  const give = async (/** @type {any} */ plan, /** @type {any} */ near = null) => {
    try {
      const fields = { name: plan.name, dose: plan.dose, plan_id: plan.id, occurred_at: timestamp() };
      const [entry] = await logFor(store, [child], "medication", fields);
      if (near) see({ one: entry, other: near.other });
      const what = summary("medication", entry.event);
      toast(isTwin ? say("medicines.given_to", { what, child: child.name }) : say("medicines.given", { what }), () => remove(store, entry));
    } catch (error) {
      toast(explainStorage(error));
    }
  };
  const tap = (/** @type {any} */ plan) => {
    const near = tooNear(plan, given, { time: now() }, personOf(store.account));
    if (near) ask({ plan, near });
    else give(plan);
  };
  return html`
    ${doses.length > 0 &&
    html`
      <section class=${`plans ${kind}`} aria-label=${label}>
        ${doses.map(
          ({ plan, last, next_at, isDue }) => html`
            <${Row} key=${plan.id} plan=${plan} last=${last} due=${Number(next_at)} now=${now()} isDue=${isDue}
              canGive=${canGive} isTold=${told.has(plan.id)}
              onGive=${() => tap(plan)} onOpen=${() => onOpen(plan)} onBell=${() => onBell(plan)} />
          `,
        )}
      </section>
    `}
    ${asked &&
    html`<${Near} ...${asked} onClose=${() => ask(null)} onLog=${() => (ask(null), give(asked.plan, asked.near))} />`}
  `;
}

/** @param {any} props */
function Row({ plan, last, due, now, isDue, canGive, isTold, onGive, onOpen, onBell }) {
  const when = due <= now ? say("medicines.due_now") : say("medicines.due_at", { time: clockText(due) });
  const words = html`
    <${Icon} name="medication" />
    <span class="said"><bdi class="what">${plan.name}</bdi> <strong>${when}</strong></span>
    <span class="soft">${[plan.dose, last ? say("medicines.last", { ago: ago(last.time, now) }) : say("medicines.not_given")].filter(Boolean).join(" · ")}</span>
  `;
  return html`
    <div class=${isDue ? "medication due" : "medication"}>
      ${canGive
        ? html`<button type="button" class="words" onClick=${onOpen}>${words}</button>`
        : html`<div class="words">${words}</div>`}
      <${Bell} label=${say("medicines.tell_me", { medicine: plan.name })} isOn=${isTold} onTap=${onBell} />
      ${isDue && canGive &&
      html`<${Button} kind="small primary" aria-label=${say("medicines.give_named", { medicine: plan.name })} onClick=${onGive}>${say("medicines.give")}<//>`}
    </div>
  `;
}
