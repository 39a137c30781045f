// Weight, length and head among the curves of the WHO standard.

import { GrowthChart, standing } from "../charts/growth.js";
import { ageText, dateText } from "../charts/words.js";
import { clockTime, daysBetween } from "../model/days.js";
import { growthAnswers, keepGrowthAnswers } from "../model/growth-device.js";
import { daysEarly, loadStandard, pointsOf } from "../model/growth.js";
import { isUS, length, weight } from "../parts/format.js";
import { Button, Choice, Field, Problem } from "../parts/ui.js";
import { now } from "../store/clock.js";
import { html, useEffect, useState } from "../vendor/preact.js";
import { say } from "../words.js";

const POUND = 0.45359237;
const INCH = 2.54;
/** @type {Record<import("../model/growth.js").Measure, import("../words.js").Id>} */
const LISTS = { weight: "growth.weights", length: "growth.lengths", head: "growth.heads" };

/** How each measure is called and shown, in the device's units. */
export function shownAs() {
  const pounds = (/** @type {number} */ kg) => isUS("weight") ? kg / POUND : kg;
  const inches = (/** @type {number} */ cm) => isUS("length") ? cm / INCH : cm;
  const unit = isUS("length") ? say("unit.name.in") : say("unit.name.cm");
  return {
    weight: {
      title: say("growth.weight"), unit: isUS("weight") ? say("unit.name.lb") : say("unit.name.kg"), shown: pounds,
      text: (/** @type {number} */ kg) => weight(kg * 1000),
    },
    length: { title: say("growth.length"), unit, shown: inches, text: length },
    head: { title: say("growth.head"), unit, shown: inches, text: length },
  };
}

/** @param {{store: any, child: import("../store/types").StoredChild, account: any}} props */
export function GrowthScreen({ store, child, account }) {
  const [answers, setAnswers] = useState(() => growthAnswers(child.id));
  const [measure, setMeasure] = useState(/** @type {import("../model/growth.js").Measure} */ ("weight"));
  useEffect(() => setAnswers(growthAnswers(child.id)), [child.id]);
  const { events, standard, failed, again } = useData(store, child.id);
  const answer = (/** @type {import("../model/growth-device.js").Answers} */ more) => {
    const next = { ...answers, ...more };
    keepGrowthAnswers(child.id, next);
    setAnswers(next);
  };
  const today = new Date(clockTime(now(), account.timezone)).toISOString().slice(0, 10);
  return html`<section class="growth-screen">
    <${Questions} child=${child} answers=${answers} answer=${answer} today=${today} />
    ${failed && html`<${Problem} text=${say("growth.not_loaded")} />
      <${Button} onClick=${again}>${say("common.try_again")}<//>`}
    ${answers.sex && standard && events && html`
      <${Choice} label=${say("growth.measure")} hidden value=${measure} onChange=${setMeasure}
        options=${Object.entries(shownAs()).map(([key, { title }]) => [key, title])} />
      <${Measured} ...${{ events, standard, measure, answers, child, account, today }} />`}
  </section>`;
}

/**
 * @param {{child: import("../store/types").StoredChild, answers: import("../model/growth-device.js").Answers, answer: (more: any) => void,
 *   today: string}} props
 */
export function Questions({ child, answers, answer, today }) {
  const early = daysEarly(child.date_of_birth, answers.due);
  const corrected = ageText(daysBetween(child.date_of_birth, today) - early);
  const hint = early
    ? say("growth.born_early_by", { length: ageText(early), age: corrected })
    : answers.due ? say("growth.not_corrected") : say("growth.age_from_due");
  return html`<form class="growth-questions" onSubmit=${(/** @type {Event} */ event) => event.preventDefault()}>
    <${Choice} label=${say("growth.which_standard", { child: child.name })}
      options=${[["girl", say("growth.girls")], ["boy", say("growth.boys")]]}
      value=${answers.sex} onChange=${(/** @type {any} */ sex) => answer({ sex })} />
    <details open=${Boolean(answers.due)}><summary>${say("growth.born_early")}</summary>
      <${Field} label=${say("growth.due_date")} type="date" value=${answers.due ?? ""} min=${child.date_of_birth}
        onChange=${(/** @type {any} */ event) => answer({ due: event.target.value || undefined })}
        hint=${hint} />
    </details>
    <p class="soft small">${say("growth.answers_stay")}</p>
  </form>`;
}

/** @param {any} props */
function Measured({ events, standard, measure, answers, child, account, today }) {
  const { sex, due } = answers;
  const points = pointsOf(events, measure, { child, timezone: account.timezone, sex, due, standard });
  const as = shownAs()[/** @type {import("../model/growth.js").Measure} */ (measure)];
  const age = daysBetween(child.date_of_birth, today);
  return html`
    <${GrowthChart} ...${as} age=${Math.max(0, age)} measure=${measure} sex=${sex} standard=${standard}
      points=${points} />
    ${points.length > 0 && html`<ul class="card rows growth-points" aria-label=${say(LISTS[/** @type {"weight"} */ (measure)])}>
      ${[...points].reverse().map((point) => html`<li key=${point.id}>
        <strong>${as.text(point.value)}</strong><span>${standing(point)}</span>
        <span class="soft small">${say(point.corrected ? "growth.point_corrected" : "growth.point", {
          date: dateText(point.date, "full"), age: ageText(point.day),
        })}</span></li>`)}
    </ul>`}
    ${measure === "length" && html`<p class="soft small">${say("growth.lying_down")}</p>`}
    <p class="soft small">${say("growth.what_it_means")}</p>`;
}

/** @param {any} store @param {string} child */
function useData(store, child) {
  const [events, setEvents] = useState(/** @type {any} */ (null));
  const [standard, setStandard] = useState(/** @type {any} */ (null));
  const [failed, setFailed] = useState(false);
  const load = () => {
    setFailed(false);
    loadStandard().then(setStandard, () => setFailed(true));
  };
  useEffect(load, []);
  useEffect(() => {
    let isCurrent = true;
    const read = async () => {
      const found = await store.events(child, { type: "measurement" });
      if (isCurrent) setEvents(found);
    };
    read();
    store.addEventListener?.("change", read);
    return () => {
      isCurrent = false;
      store.removeEventListener?.("change", read);
    };
  }, [store, child]);
  return { events, standard, failed, again: load };
}
