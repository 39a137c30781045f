// What the doctor's first sheet lists. What is too much for it is counted.

import { momentText, temperature } from "../parts/format.js";
import { join, phrase } from "../parts/text.js";
import { html } from "../vendor/preact.js";
import { say, sayNodes } from "../words.js";

const MEDICINES = 8;
const TEMPERATURES = 7;
const LETTERS = 1_200; // of notes
const DOSES = 3;

/** @param {{notes: {at: string, content: string}[]}} props */
export function Notes({ notes }) {
  let left = LETTERS;
  const shown = [...notes].reverse().filter(({ content }, place) => (left -= content.length + 60) >= 0 || place === 0);
  return html`<div>
    <h2>${say("doctor.notes")}</h2>
    ${notes.length === 0 && html`<p class="soft">${say("doctor.no_notes")}</p>`}
    <ul>${shown.map(({ at, content }) => html`<li><b>${momentText(at)}</b> ${
      content.length > LETTERS ? `${content.slice(0, LETTERS)}…` : content}</li>`)}</ul>
    ${more(notes.length - shown.length, "doctor.more_notes")}
  </div>`;
}

/** @param {{medicines: {name: string, count: number, last: string, doses: string[]}[]}} props */
export const Medicines = ({ medicines }) => html`
  <h2>${say("doctor.medicines")}</h2>
  ${medicines.length === 0 && html`<p class="soft">${say("doctor.no_medicines")}</p>`}
  <ul>${medicines.slice(0, MEDICINES).map(({ name, count, last, doses }) => html`<li>${sayNodes("doctor.given", {
    count, when: momentText(last),
    medicine: html`<b>${name}</b>${doses.slice(0, DOSES).map((dose) => `${say("common.separator")}${dose}`)}`,
  })}</li>`)}</ul>
  ${more(medicines.length - MEDICINES, "doctor.more_medicines")}`;

/** @param {{temperatures: {at: string, celsius: number, site: string | null}[]}} props */
export function Temperatures({ temperatures }) {
  const highest = Math.max(...temperatures.map(({ celsius }) => celsius));
  return html`
    <h2>${say("doctor.temperatures")}</h2>
    ${temperatures.length === 0 ? html`<p class="soft">${say("doctor.no_temperatures")}</p>`
      : html`<p>${say("doctor.readings", { count: temperatures.length, highest: temperature(highest) })}</p>`}
    <ul>${[...temperatures].reverse().slice(0, TEMPERATURES).map(({ at, celsius, site }) =>
      html`<li><b>${temperature(celsius)}</b> ${join(momentText(at), phrase("site", site))}</li>`)}</ul>
    ${more(temperatures.length - TEMPERATURES, "doctor.more_readings")}`;
}

/** @param {number} count @param {import("../words.js").Id} id */
const more = (count, id) => count > 0 && html`<p class="soft">${say(id, { count })}</p>`;
