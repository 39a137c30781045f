// What the doctor's first sheet lists. What is too much for it is counted.

import { countText, numberText } from "../charts/words.js";
import { momentText, temperature } from "../parts/format.js";
import { phrase } from "../parts/text.js";
import { html } from "../vendor/preact.js";

const MEDICINES = 8;
const TEMPERATURES = 7;
const LETTERS = 1_200; // of notes
const DOSES = 3;

/** @param {{notes: {at: string, content: string}[]}} props */
export function Notes({ notes }) {
  let left = LETTERS;
  const shown = [...notes].reverse().filter(({ content }, place) => (left -= content.length + 60) >= 0 || place === 0);
  return html`<div>
    <h2>Notes for the doctor</h2>
    ${notes.length === 0 && html`<p class="soft">No note was marked.</p>`}
    <ul>${shown.map(({ at, content }) => html`<li><b>${momentText(at)}</b> ${
      content.length > LETTERS ? `${content.slice(0, LETTERS)}…` : content}</li>`)}</ul>
    <${More} count=${notes.length - shown.length} what="note" />
  </div>`;
}

/** @param {{medicines: {name: string, count: number, last: string, doses: string[]}[]}} props */
export const Medicines = ({ medicines }) => html`
  <h2>Medicines</h2>
  ${medicines.length === 0 && html`<p class="soft">None given.</p>`}
  <ul>${medicines.slice(0, MEDICINES).map(({ name, count, last, doses }) => html`<li>
    <b>${name}</b>${doses.slice(0, DOSES).map((dose) => `, ${dose}`)}:
    ${count === 1 ? " once" : ` ${numberText(count)} times, last`} ${momentText(last)}</li>`)}</ul>
  <${More} count=${medicines.length - MEDICINES} what="medicine" />`;

/** @param {{temperatures: {at: string, celsius: number, site: string | null}[]}} props */
export function Temperatures({ temperatures }) {
  const highest = Math.max(...temperatures.map(({ celsius }) => celsius));
  return html`
    <h2>Temperatures</h2>
    ${temperatures.length === 0 ? html`<p class="soft">None measured.</p>`
      : html`<p>${countText(temperatures.length, "reading")}, ${temperature(highest)} the highest.</p>`}
    <ul>${[...temperatures].reverse().slice(0, TEMPERATURES).map(({ at, celsius, site }) =>
      html`<li><b>${temperature(celsius)}</b> ${momentText(at)}${site && `, ${phrase("site", site)}`}</li>`)}</ul>
    <${More} count=${temperatures.length - TEMPERATURES} what="reading" />`;
}

/** @param {{count: number, what: string}} props */
const More = ({ count, what }) =>
  count > 0 && html`<p class="soft">And ${countText(count, `earlier ${what}`)} in the app.</p>`;
