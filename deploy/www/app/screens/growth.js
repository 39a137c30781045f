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

const POUND = 0.45359237;
const INCH = 2.54;

/** How each measure is called and shown, in the device's units. */
export function shownAs() {
  const pounds = (/** @type {number} */ kg) => isUS("weight") ? kg / POUND : kg;
  const inches = (/** @type {number} */ cm) => isUS("length") ? cm / INCH : cm;
  const unit = isUS("length") ? "in" : "cm";
  return {
    weight: {
      title: "Weight", unit: isUS("weight") ? "lb" : "kg", shown: pounds, text: (/** @type {number} */ kg) => weight(kg * 1000),
    },
    length: { title: "Length", unit, shown: inches, text: length },
    head: { title: "Head", unit, shown: inches, text: length },
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
    ${failed && html`<${Problem} text="The growth tables couldn’t be loaded." />
      <${Button} onClick=${again}>Try again<//>`}
    ${answers.sex && standard && events && html`
      <${Choice} label="Measure" hidden value=${measure} onChange=${setMeasure}
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
    ? `Born ${ageText(early)} early: until two years, age counts from the due date. Corrected age today: ${corrected}.`
    : answers.due ? "From 37 weeks on, age isn’t corrected." : "Age then counts from the due date until two years.";
  return html`<form class="growth-questions" onSubmit=${(/** @type {Event} */ event) => event.preventDefault()}>
    <${Choice} label=${`The WHO has a standard for girls and one for boys. Which is ${child.name}’s?`}
      options=${[["girl", "Girls"], ["boy", "Boys"]]}
      value=${answers.sex} onChange=${(/** @type {any} */ sex) => answer({ sex })} />
    <details open=${Boolean(answers.due)}><summary>Born early?</summary>
      <${Field} label="Due date" type="date" value=${answers.due ?? ""} min=${child.date_of_birth}
        onChange=${(/** @type {any} */ event) => answer({ due: event.target.value || undefined })}
        hint=${hint} />
    </details>
    <p class="soft small">These answers stay on this device.</p>
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
    ${points.length > 0 && html`<ul class="card rows growth-points" aria-label=${`${as.title}, latest first`}>
      ${[...points].reverse().map((point) => html`<li key=${point.id}>
        <strong>${as.text(point.value)}</strong><span>${standing(point)}</span>
        <span class="soft small">${dateText(point.date, "full")},
          ${point.corrected ? " corrected age " : " "}${ageText(point.day)}</span></li>`)}
    </ul>`}
    ${measure === "length" && html`<p class="soft small">Measured lying down until two years, standing from then on: the
      curves step down there by 0.7 cm.</p>`}
    <p class="soft small">WHO Child Growth Standards, 0 to 5 years. P30 means: of 100 healthy children of this age, 30
      measure less. One point says little; what counts is the line over time. Ask your doctor if you are worried.</p>`;
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
