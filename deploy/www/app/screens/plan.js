// One plan of medicine: made, changed, or ended.

import { html, useState } from "../vendor/preact.js";
import { say } from "../words.js";
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
const ways = () => [["hours", say("plan.every_few_hours")], ["times", say("plan.at_set_times")], ["needed", say("plan.when_needed")]];
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
  if (!fields.name) return say("plan.which_medicine");
  if (way === "hours" && fields.every_hours === null) return say("plan.how_many_hours");
  for (const field of numbers) {
    const { most = 1 } = plan.fields[field];
    const isFine = fields[field] === null || (Number.isInteger(fields[field]) && fields[field] >= 1 && fields[field] <= most);
    if (!isFine) return say(field === "every_hours" ? "plan.hours_out_of_range" : "plan.most_out_of_range", { most });
  }
  if (way === "times" && !fields.times.length) return say("plan.what_time");
  if (!fields.starts_on) return say("plan.what_day");
  if (fields.ends_on && fields.ends_on < fields.starts_on) return say("plan.ends_before");
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
  const typed = (/** @type {keyof typeof form} */ field) =>
    ({ value: form[field], onInput: (/** @type {any} */ event) => set({ [field]: event.target.value }) });
  const save = () =>
    run(async () => {
      const fields = fieldsOf(form);
      const gap = missing(fields, form.way);
      if (gap) throw gap;
      const changed = Object.fromEntries(Object.entries(fields).filter(([field, value]) => String(value) !== String(before[field])));
      if (kept) await edit(store, kept, changed);
      else await log(store, child, "plan", fields);
      onClose();
      toast(kept ? say("common.saved") : say("plan.is_planned", { name: fields.name }));
    });
  const drop = () =>
    run(async () => {
      const removed = kept && (await remove(store, kept));
      onClose();
      if (removed) toast(say("plan.is_deleted", { name: removed.kept.event.name }), () => restore(store, removed));
    });
  return html`
    <${Sheet} title=${kept ? say("kind.plan") : say("plan.title_for", { child: child.name })} onClose=${onClose}>
      <${Field} label=${say("kind.medication")} maxlength="100" autocomplete="off" ...${typed("name")} />
      <${Field} label=${say("forms.dose")} hint=${say("forms.dose_hint")} maxlength="50" autocomplete="off" ...${typed("dose")} />
      <${Choice} label=${say("plan.how_often")} options=${ways()} value=${form.way} onChange=${(/** @type {"hours"} */ way) => set({ way })} />
      ${form.way === "hours" && html`<${Field} label=${say("plan.hours_between")} inputmode="numeric" autocomplete="off" ...${typed("every_hours")} />`}
      ${form.way === "times" && html`<${Times} times=${form.times} onChange=${(/** @type {string[]} */ times) => set({ times })} />`}
      <${Field} label=${say("plan.at_most")} hint=${say("plan.empty_not_said")} inputmode="numeric" autocomplete="off" ...${typed("max_per_day")} />
      <div class="pair">
        <${Field} label=${say("plan.first_day")} type="date" ...${typed("starts_on")} />
        <${Field} label=${say("plan.last_day")} hint=${say("plan.empty_until_ended")} type="date" min=${form.starts_on} ...${typed("ends_on")} />
      </div>
      <${Field} label=${say("forms.remark")} multiline maxlength="2000" ...${typed("notes")} />
      <${Problem} text=${problem} />
      <div class="actions stay">
        <${Button} kind="primary" busy=${isBusy} onClick=${save}>${say("common.save")}<//>
        ${kept && html`<${Button} kind="danger" busy=${isBusy} onClick=${drop}>${say("common.delete")}<//>`}
      </div>
    <//>
  `;
}

/** @param {{times: string[], onChange: (times: string[]) => void}} props */
const Times = ({ times, onChange }) => html`
  <fieldset class="times">
    <legend>${say("plan.times")}</legend>
    ${times.map(
      (time, place) => html`
        <div key=${place}>
          <input type="time" aria-label=${say("plan.time_number", { number: place + 1 })} value=${time}
            onChange=${(/** @type {any} */ event) => onChange(times.map((one, at) => (at === place ? event.target.value : one)))} />
          ${times.length > 1 && html`<button type="button" class="plain" aria-label=${say("plan.remove_time", { number: place + 1 })}
            onClick=${() => onChange(times.filter((_, at) => at !== place))}><${Icon} name="close" /></button>`}
        </div>
      `,
    )}
    ${times.length < MOST_TIMES && html`<button type="button" class="link" onClick=${() => onChange([...times, "20:00"])}>${say("plan.add_time")}</button>`}
  </fieldset>
`;
