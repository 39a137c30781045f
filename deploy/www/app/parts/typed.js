// Fields of numbers that take what people type, in either way of writing, and say what they understood.

import { html, useState } from "../vendor/preact.js";
import { say } from "../words.js";
import { Choice, useId } from "./ui.js";

/** @typedef {{texts: string[], value: number | null, isLeft?: boolean}} Typed */

/**
 * What is being typed stays as it was typed, whatever draws the form again meanwhile; when a field is left it shows what
 * is kept, if that is clear.
 * @param {number | null} value NaN while it isn't clear
 * @param {string[]} shown
 * @param {(texts: string[]) => number | null} keep takes what was typed, gives what is kept
 */
export function useTyped(value, shown, keep) {
  const [last, setLast] = useState(/** @type {Typed | null} */ (null));
  const typed = last && Object.is(last.value, value) ? last : null;
  const texts = typed && (!typed.isLeft || Number.isNaN(value)) ? typed.texts : shown;
  return {
    typed: typed?.texts ?? shown,
    input: (place = 0) => ({
      value: texts[place],
      onInput: (/** @type {any} */ event) => {
        const next = texts.map((text, at) => (at === place ? event.target.value : text));
        setLast({ texts: next, value: keep(next) });
      },
      onBlur: () => setLast(typed && { ...typed, isLeft: true }),
    }),
  };
}

/**
 * The number that a text is; null where there is none, NaN where it isn't clear.
 * @param {number[]} found @param {string} text
 */
export const clearOf = (found, text) => (found.length === 1 ? found[0] : text.trim() ? NaN : null);

/**
 * `before` and `after` are beside the input, children below it: what was understood.
 * @param {any} props
 */
export function NumberField({ label, isUnclear, input, before, after, kind = "", children }) {
  const id = useId();
  const field = html`<input id=${id} type="text" inputmode="decimal" autocomplete="off" aria-describedby="${id}-read"
    aria-invalid=${isUnclear ? "true" : undefined} ...${input} />`;
  return html`
    <div class="field ${kind}">
      <label for=${id}>${label}</label>
      ${before ? html`<div class="steps">${before}${field}${after}</div>` : field}
      <div id="${id}-read" role="status">${children}</div>
    </div>
  `;
}

/**
 * What was understood of a text, where the field shows another; or that it is no number.
 * @param {{text: string, shown: string, found: number[], said: (number: number) => string}} props
 */
export function Understood({ text, shown, found, said }) {
  const trimmed = text.trim();
  if (!trimmed || trimmed === shown || found.length > 1) return null;
  return found.length
    ? html`<p class="hint">${say("typed.is", { text: trimmed, number: said(found[0]) })}</p>`
    : html`<p class="error">${say("typed.no_number", { text: trimmed })}</p>`;
}

/**
 * Asks which of two is meant.
 * @param {{text: string, found: number[], said: (number: number) => string, onChoose: (number: number) => void}} props
 */
export const WhichOne = ({ text, found, said, onChoose }) => found.length > 1 && html`
  <${Choice} label=${say("typed.two_ways", { text: text.trim() })} value=${null}
    options=${found.map((number) => [number, said(number)])} onChange=${onChoose} />`;
