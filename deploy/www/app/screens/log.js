// The sheet that logs: what it was is offered as it was the last time, so that mostly one more tap is enough.

import { html, useState } from "../vendor/preact.js";
import { say, sayIf } from "../words.js";
import { belongs, isOpen, kinds } from "../store/kinds.js";
import { logFor, remove } from "../store/log.js";
import { explainStorage, kindName, listed, summary } from "../parts/text.js";
import { useStore, useWork } from "../parts/hooks.js";
import { toast } from "../parts/toast.js";
import { Button, Problem, Sheet } from "../parts/ui.js";
import { Fields } from "./forms/fields.js";
import { offer, verb } from "./forms/offer.js";
import { missing } from "../parts/missing.js";
import { medicinesOf, personOf } from "../parts/medicines.js";
import { Near } from "../parts/near.js";
import { see } from "../parts/pairs.js";
import { holds, planOf, tooNear } from "../model/plans.js";
import { dateOf } from "../model/days.js";
import { now } from "../store/clock.js";
import { inOrder, Lasting, momentOf, range, When } from "./forms/times.js";

/**
 * The fields that are to be kept: those of another type of feed are not.
 * @param {string} type
 * @param {any} value
 */
const kept = (type, value) =>
  Object.fromEntries(
    Object.entries(value)
      .filter(([field, one]) => belongs(type, field, value.type) && one != null && one !== "")
      .map(([field, one]) => [field, typeof one === "string" ? one.trim() : one]),
  );

const minutes = /** @type {Record<string, number[]>} */ ({ feeding: [5, 10, 15, 20, 30], sleep: [15, 30, 45, 60, 120], pumping: [10, 15, 20, 30], activity: [5, 10, 15, 30, 60] });

/** Of these each child has its own, or the family's milk is counted once. */
const oneByOne = new Set(["measurement", "temperature", "medication", "pumping", "discard"]);
const DAY = 86_400_000;

/**
 * The children who were born with one, itself among them.
 * @param {import("../store/types").StoredFamily} family @param {import("../store/types").StoredChild} child
 */
const bornWith = ({ children }, child) =>
  children.filter((one) => Math.abs(Date.parse(one.date_of_birth) - Date.parse(child.date_of_birth)) <= DAY);

/**
 * What nobody timed is over all the same: without an end it would be under way.
 * @param {string} type @param {any} event @param {boolean} goesOn
 */
const withEnd = (type, event, goesOn) =>
  !goesOn && type !== "feeding" && isOpen(type, event) ? { ...event, ended_at: event.started_at } : event;

/**
 * The first of the children who is asleep.
 * @param {import("../store/store.js").Store} store @param {import("../store/types").StoredChild[]} children
 */
async function whoSleeps(store, children) {
  const open = await Promise.all(children.map(({ id }) => store.latest(id, [], [], 0)));
  return children.find((_, place) => open[place].open.some((one) => one.type === "sleep")) ?? null;
}

/**
 * Of which of a child's plans a dose is, and whether that speaks against it.
 * @param {import("../store/store.js").Store} store @param {{id: string}} child @param {any} fields
 */
async function planned(store, child, fields) {
  const { plans, given } = await medicinesOf(store, child.id);
  const person = personOf(store.account);
  const going = plans.map(({ event }) => /** @type {any} */ (event)).filter((plan) => holds(plan, dateOf(now(), person)));
  const plan = planOf(going, { ...fields, plan_id: going.some(({ id }) => id === fields.plan_id) ? fields.plan_id : null });
  return { plan, near: plan ? tooNear(plan, given, { time: Date.parse(fields.occurred_at) }, person) : null };
}

/** @param {{type: string, of?: string, plan?: any, child: import("../store/types").StoredChild, last: any, isTwin: boolean, onClose: () => void}} props */
export function LogSheet({ type, of, plan, child, last, isTwin, onClose }) {
  const store = useStore();
  const [value, setValue] = useState(() => /** @type {any} */ (plan ? { name: plan.name, dose: plan.dose, plan_id: plan.id } : offer(type, last, of)));
  const [asked, ask] = useState(/** @type {any} */ (null));
  const [when, setWhen] = useState(/** @type {any} */ ({ ago: 0 }));
  const lasts = Boolean(kinds[type].end) && !(type === "feeding" && value.type !== "breast");
  const [lasting, setLasting] = useState(/** @type {any} */ ({ minutes: type === "pumping" ? null : 0 }));
  const [isBusy, problem, run] = useWork((error) => (typeof error === "string" ? error : explainStorage(error)));
  const set = (/** @type {any} */ patch) => setValue({ ...value, ...patch });
  const goesOn = lasts && lasting.minutes === 0;
  const together = bornWith(store.family, child);
  const save = (/** @type {import("../store/types").StoredChild[]} */ children, /** @type {any} */ answered = null) =>
    run(async () => {
      const asleep = type === "sleep" && goesOn ? await whoSleeps(store, children) : null;
      const times = lasts ? range(when, lasting) : { [kinds[type].time]: new Date(momentOf(when)).toISOString() };
      const fields = inOrder({ ...kept(type, isClocked ? { ...value, amount_ml: null } : value), ...times });
      const gap = asleep ? say("log.asleep_already", { child: asleep.name }) : missing(type, fields);
      if (gap) throw gap;
      const doses = type === "medication" ? await Promise.all(children.map((one) => planned(store, one, fields))) : [];
      const against = doses.find(({ near }) => near);
      if (against && !answered) return ask({ ...against, children });
      const own = Object.fromEntries(doses.map((one, place) => [children[place].id, { plan_id: one.plan?.id ?? null }]));
      const entries = await logFor(store, children, type, withEnd(type, fields, goesOn), own);
      doses.forEach(({ near }, place) => near && see({ one: entries[place], other: near.other }));
      onClose();
      const whose = children.length > 1 || isTwin ? listed(children.map(({ name }) => name)) : "";
      const done = goesOn ? "log.started" : "log.logged";
      toast(say(whose ? `${done}_for` : done, { what: summary(type, entries[0].event), children: whose }), () => Promise.all(entries.map((entry) => remove(store, entry))));
    });
  const named = (/** @type {string} */ what) => (isTwin ? say("dock.for_child", { what, child: child.name }) : what);
  const isClocked = goesOn && type === "pumping"; // how much it was is asked when it stops
  return html`
    <${Sheet} title=${named(kindName(type))} onClose=${onClose}>
      <${Fields} type=${type} value=${value} set=${set} isClocked=${isClocked} lastSide=${last.breast?.event.last_side ?? last.breast?.event.side} />
      <${When} label=${say(lasts ? "common.started" : "common.when")} value=${when} onChange=${setWhen} />
      ${lasts &&
      html`<${Lasting} label=${say("log.how_long")} open=${sayIf("log.open", type) ?? say("log.still_going")} unsaid=${type === "pumping" || type === "activity"} minutes=${minutes[type]} value=${lasting} onChange=${setLasting} />`}
      <${Problem} text=${problem} />
      <div class="actions stay">
        <${Button} kind="primary" busy=${isBusy} onClick=${() => save([child])}>${named(verb(type, value, goesOn))}<//>
        ${together.length > 1 && !oneByOne.has(type) &&
        html`<${Button} busy=${isBusy} onClick=${() => save(together)}>${say("log.same_for", { children: listed(together.map(({ name }) => name)) })}<//>`}
      </div>
    <//>
    ${asked && html`<${Near} ...${asked} onClose=${() => ask(null)} onLog=${() => (ask(null), save(asked.children, asked))} />`}
  `;
}
