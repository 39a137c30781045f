// A child's plans of medicine. Parents make, change and end them; everybody sees them.

import { html, useState } from "../vendor/preact.js";
import { say } from "../words.js";
import { dateOf } from "../model/days.js";
import { now } from "../store/clock.js";
import { planHow } from "../parts/text.js";
import { plainDate } from "../parts/format.js";
import { useQuery, useStore } from "../parts/hooks.js";
import { Icon } from "../parts/icons.js";
import { personOf } from "../parts/medicines.js";
import { Button } from "../parts/ui.js";
import { PlanSheet } from "./plan.js";

/** @param {any} plan */
const days = ({ ends_on }) => (ends_on ? say("plan.until", { date: plainDate(ends_on) }) : "");

/** @param {{child: import("../store/types").StoredChild, canChange: boolean, open: string}} props `open`: the id of one */
export function Plans({ child, canChange, open }) {
  const store = useStore();
  const person = personOf(store.account);
  const found = useQuery(() => store.plans(child.id), [child.id]);
  const [chosen, choose] = useState(/** @type {string | null} */ (open || null)); // an id; "new" for one to be made
  if (!found) return null;
  const today = dateOf(now(), person);
  const plans = found.sort((one, other) => one.event.name.localeCompare(other.event.name));
  const current = plans.find(({ id }) => id === chosen);
  const row = (/** @type {import("../store/types").Kept} */ { id, event }) => {
    const isPast = event.ends_on && event.ends_on < today;
    const inner = html`
      <${Icon} name="medication" />
      <span><strong><bdi>${event.name}</bdi></strong>
        <span class="soft">${[event.dose, planHow(/** @type {any} */ (event)), isPast ? say("plan.over") : days(event)].filter(Boolean).join(" · ")}</span>
        ${event.notes && html`<span class="soft">${event.notes}</span>`}</span>
    `;
    return canChange
      ? html`<li key=${id}><button type="button" class="row-button" onClick=${() => choose(id)}>${inner}<${Icon} name="next" /></button></li>`
      : html`<li key=${id}><div class="row-button">${inner}</div></li>`;
  };
  return html`
    <h2>${say("plan.title_all")}</h2>
    <ul class="card rows">
      ${plans.map(row)}
      ${!plans.length && html`<li class="soft">${canChange ? say("plan.none_and_why") : say("plan.none")}</li>`}
    </ul>
    ${canChange && html`<div class="actions"><${Button} onClick=${() => choose("new")}><${Icon} name="plus" />${say("plan.add")}<//></div>`}
    ${canChange && (chosen === "new" || current) && html`<${PlanSheet} key=${chosen} child=${child} kept=${current} onClose=${() => choose(null)} />`}
  `;
}
