// Numbers in the device's units; what is kept is metric.

import { html, useState } from "../../vendor/preact.js";
import { fromMl, isUS, POUND, toMl, volumeUnit } from "../../parts/format.js";
import { Icon } from "../../parts/icons.js";
import { Field, useId } from "../../parts/ui.js";

/**
 * What is being typed into a field of numbers stays as it was typed, whatever draws the form again meanwhile; when the
 * field is left it shows what is kept.
 * @param {any} value @param {string} shown @param {(text: string) => any} keep takes what was typed, gives what is kept
 */
function useTyped(value, shown, keep) {
  const [typed, setTyped] = useState(/** @type {{text: string, value: any} | null} */ (null));
  return {
    value: typed && typed.value === value ? typed.text : shown,
    onInput: (/** @type {any} */ event) => {
      const text = event.target.value;
      setTyped({ text, value: keep(text) });
    },
    onBlur: () => setTyped(null),
  };
}

/**
 * A number in the device's unit, with a step for the thumb.
 * @param {any} props
 */
export function Amount({ label, value, onChange, most = 1000 }) {
  const id = useId();
  const step = isUS("volume") ? 0.5 : 10;
  const shown = value == null ? "" : String(fromMl(value));
  const set = (/** @type {number} */ number) => {
    const kept = number > 0 ? Math.min(most, Math.round(toMl(number) * 10) / 10) : null;
    onChange(kept);
    return kept;
  };
  const input = useTyped(value ?? null, shown, (text) => set(Number(text)));
  return html`
    <div class="field amount">
      <label for=${id}>${label} (${volumeUnit()})</label>
      <div>
        <button type="button" aria-label="Less" onClick=${() => set(Number(shown) - step)}><${Icon} name="minus" /></button>
        <input id=${id} type="number" inputmode="decimal" min="0" step="any" ...${input} />
        <button type="button" aria-label="More" onClick=${() => set(Number(shown) + step)}><${Icon} name="plus" /></button>
      </div>
    </div>
  `;
}

/**
 * A number that is stored in another unit for half of the world: `factor` and `offset` make ours into theirs.
 * @param {any} props
 */
export function Measure({ label, value, onChange, unit, factor, offset = 0, digits, kept }) {
  const shown = value == null ? "" : String(Number((value * factor + offset).toFixed(digits)));
  const input = useTyped(value ?? null, shown, (text) => {
    const number = Number(text);
    const value = text && Number.isFinite(number) ? Number(((number - offset) / factor).toFixed(kept)) : null;
    onChange(value);
    return value;
  });
  return html`<${Field} label=${`${label} (${unit})`} type="number" inputmode="decimal" step="any" ...${input} />`;
}

/**
 * Pounds and ounces in one: what scales show and nurses say.
 * @param {any} props
 */
export function Pounds({ value, onChange }) {
  const all = value == null ? null : Math.round((value / POUND) * 160) / 10;
  const pounds = all == null ? "" : String(Math.floor(all / 16));
  const ounces = all == null ? "" : String(Number((all % 16).toFixed(1)));
  const set = (/** @type {string} */ lb, /** @type {string} */ oz) => {
    const kept = lb || oz ? Math.round((Number(lb) + Number(oz) / 16) * POUND) : null;
    onChange(kept);
    return kept;
  };
  const lb = useTyped(value ?? null, pounds, (text) => set(text, ounces));
  const oz = useTyped(value ?? null, ounces, (text) => set(pounds, text));
  return html`
    <div class="pair">
      <${Field} label="Weight (lb)" type="number" inputmode="numeric" min="0" step="1" ...${lb} />
      <${Field} label="and (oz)" type="number" inputmode="decimal" min="0" step="any" ...${oz} />
    </div>
  `;
}
