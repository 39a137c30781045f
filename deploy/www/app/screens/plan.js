// One plan of medicine: made, changed, or ended.

import { html, useState } from "../vendor/preact.js";
import { edit, log, remove, restore } from "../store/log.js";
import { plan } from "../store/kinds.js";
import { now } from "../store/clock.js";
import { dateOf } from "../model/days.js";
import { readNumber } from "../model/numbers.js";
import { explainStorage } from "../parts/text.js";
import { useStore, useWork } from "../parts/hooks.js";
import { Icon } from "../parts/icons.js";
import { personOf } from "../parts/medicines.js";
import { toast } from "../parts/toast.js";
import { Button, Choice, Field, Problem, Sheet } from "../parts/ui.js";

const MOST_TIMES = 8;
const ways = [["hours", "Every few hours"], ["times", "At set times"], ["needed", "When needed"]];
const numbers = /** @type {const} */ (["every_hours", "max_per_day"]);

// As the form has it: numbers as they are typed. To a person's clocks the small hours are of the day before.
/** @param {any} kept @param {string} today */
const opened = (kept, today) => ({
  name: kept?.name ?? "", dose: kept?.dose ?? "", way: kept?.times ? "times" : !kept || kept.every_hours ? "hours" : "needed",
  every_hours: String(kept?.every_hours ?? (kept ? "" : 6)), times: kept?.times ?? ["08:00"], max_per_day: String(kept?.max_per_day ?? ""),
  starts_on: kept?.starts_on ?? today, ends_on: kept?.ends_on ?? "", notes: kept?.notes ?? "",
});

/** @param {ReturnType<typeof opened>} form @returns {Record<string, any>} the plan's fields; null where there is nothing */
function fieldsOf({ way, times, ...form }) {
  const text = (/** @type {string} */ one) => one.trim() || null;
  const number = (/** @type {"every_hours" | "max_per_day"} */ field) =>
    (text(form[field]) === null ? null : readNumber(form[field], 1, plan.fields[field].most ?? 1)[0] ?? NaN);
  return {
    name: text(form.name), dose: text(form.dose), every_hours: way === "hours" ? number("every_hours") : null,
    times: way === "times" ? [...new Set(times.filter(Boolean))].sort() : null, max_per_day: number("max_per_day"),
    starts_on: text(form.starts_on), ends_on: text(form.ends_on), notes: text(form.notes),
  };
}

/**
 * What stands in the way of keeping it; empty if nothing does.
 * @param {Record<string, any>} fields @param {string} way
 */
function missing(fields, way) {
  if (!fields.name) return "Say which medicine it is.";
  if (way === "hours" && fields.every_hours === null) return "Say how many hours are between two doses.";
  for (const field of numbers) {
    const { most = 1 } = plan.fields[field];
    const isFine = fields[field] === null || (Number.isInteger(fields[field]) && fields[field] >= 1 && fields[field] <= most);
    if (!isFine) return `${field === "every_hours" ? "The hours between doses" : "The most a day"} must be a whole number from 1 to ${most}.`;
  }
  if (way === "times" && !fields.times.length) return "Say at what time it is given.";
  if (!fields.starts_on) return "Say on what day it begins.";
  if (fields.ends_on && fields.ends_on < fields.starts_on) return "It can’t end before it begins.";
  return "";
}

/** @param {{child: import("../store/types").StoredChild, kept?: import("../store/types").Kept, onClose: () => void}} props */
export function PlanSheet({ child, kept, onClose }) {
  const store = useStore();
  const today = dateOf(now(), personOf(store.account));
  const [before] = useState(() => fieldsOf(opened(kept?.event, today))); // what others change is not changed back
  const [form, setForm] = useState(() => opened(kept?.event, today));
  const [isBusy, problem, run] = useWork((error) => (typeof error === "string" ? error : explainStorage(error)));
  const set = (/** @type {any} */ patch) => setForm({ ...form, ...patch });
  const typed = (/** @type {keyof typeof form} */ field) => {
    const onInput = (/** @type {any} */ event) => set({ [field]: event.target.value });
    return { value: form[field], onInput };
  };
  const save = () =>
    run(async () => {
      const fields = fieldsOf(form);
      const gap = missing(fields, form.way);
      if (gap) throw gap;
      const changed = Object.fromEntries(Object.entries(fields).filter(([field, value]) => String(value) !== String(before[field])));
      if (kept) await edit(store, kept, changed);
      else await log(store, child, "plan", fields);
      onClose();
      toast(kept ? "Saved" : `${fields.name} is planned`);
    });
  const drop = () =>
    run(async () => {
      const removed = kept && (await remove(store, kept));
      onClose();
      if (removed) toast(`The plan for ${removed.kept.event.name} is deleted`, () => restore(store, removed));
    });
  return html`
    <${Sheet} title=${kept ? "Medicine plan" : `Medicine plan for ${child.name}`} onClose=${onClose}>
      <${Field} label="Medicine" maxlength="100" autocomplete="off" ...${typed("name")} />
      <${Field} label="Dose" hint="As you’d write it: 2.5 ml" maxlength="50" autocomplete="off" ...${typed("dose")} />
      <${Choice} label="How often" options=${ways} value=${form.way} onChange=${(/** @type {"hours"} */ way) => set({ way })} />
      ${form.way === "hours" && html`<${Field} label="Hours between doses" inputmode="numeric" autocomplete="off" ...${typed("every_hours")} />`}
      ${form.way === "times" && html`<${Times} times=${form.times} onChange=${(/** @type {string[]} */ times) => set({ times })} />`}
      <${Field} label="At most a day" hint="Empty: not said" inputmode="numeric" autocomplete="off" ...${typed("max_per_day")} />
      <div class="pair">
        <${Field} label="First day" type="date" ...${typed("starts_on")} />
        <${Field} label="Last day" hint="Empty: until you end it" type="date" min=${form.starts_on} ...${typed("ends_on")} />
      </div>
      <${Field} label="Remark" multiline maxlength="2000" ...${typed("notes")} />
      <${Problem} text=${problem} />
      <div class="actions stay">
        <${Button} kind="primary" busy=${isBusy} onClick=${save}>Save<//>
        ${kept && html`<${Button} kind="danger" busy=${isBusy} onClick=${drop}>Delete<//>`}
      </div>
    <//>
  `;
}

/** @param {{times: string[], onChange: (times: string[]) => void}} props */
const Times = ({ times, onChange }) => html`
  <fieldset class="times">
    <legend>Times</legend>
    ${times.map(
      (time, place) => html`
        <div key=${place}>
          <input type="time" aria-label=${`Time ${place + 1}`} value=${time}
            onChange=${(/** @type {any} */ event) => onChange(times.map((one, at) => (at === place ? event.target.value : one)))} />
          ${times.length > 1 && html`<button type="button" class="plain" aria-label=${`Remove time ${place + 1}`}
            onClick=${() => onChange(times.filter((_, at) => at !== place))}><${Icon} name="close" /></button>`}
        </div>
      `,
    )}
    ${times.length < MOST_TIMES && html`<button type="button" class="link" onClick=${() => onChange([...times, "20:00"])}>Add a time</button>`}
  </fieldset>
`;
