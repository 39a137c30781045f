// When something was: a chip for what is nearly always meant, a picker for the rest.

import { html, useState } from "../../vendor/preact.js";
import { say } from "../../words.js";
import { clockTime, momentsOf, shortest } from "../../model/days.js";
import { currentZone, fromInput, toInput } from "../../parts/format.js";
import { Choice, useId } from "../../parts/ui.js";
import { now } from "../../store/clock.js";

/** @param {{label: string, value: string | number | null, onChange: (time: number | null) => void, optional?: boolean}} props */
export function Moment({ label, value, onChange, optional = false }) {
  const id = useId();
  const read = (/** @type {any} */ event) => {
    const text = event.target.value;
    if (text) onChange(fromInput(text));
    else if (optional) onChange(null);
  };
  return html`
    <div class="field">
      <label for=${id}>${label}</label>
      <input id=${id} type="datetime-local" value=${value ? toInput(value) : ""} max=${toInput(now() + 60_000)} onChange=${read} />
    </div>
  `;
}

const MINUTES = [5, 15, 30];

/**
 * Minutes ago, or a moment.
 * @param {{label: string, value: {ago: number, at?: number}, onChange: (value: any) => void}} props
 */
export function When({ label, value, onChange }) {
  const choose = (/** @type {number} */ ago) => onChange(ago < 0 ? { ago, at: now() - 3_600_000 } : { ago });
  const moments = [
    [0, say("forms.now")], ...MINUTES.map((count) => [count, say("forms.minutes_ago", { count })]), [-1, say("forms.pick_time")],
  ];
  return html`
    <${Choice} label=${label} options=${moments} value=${value.ago} onChange=${choose} />
    ${value.ago < 0 && html`<${Moment} label=${say("forms.time_of", { label })} value=${value.at ?? null} onChange=${(/** @type {any} */ at) => at && onChange({ ago: -1, at })} />`}
  `;
}

/** @param {{ago: number, at?: number}} value */
export const momentOf = (value) => (value.ago < 0 ? value.at ?? now() : now() - value.ago * 60_000);

/**
 * How long it took, that it goes on, or, where `unsaid`, neither.
 * @param {{label: string, open: string, unsaid?: boolean, value: any, onChange: (value: any) => void, minutes: number[]}} props
 */
export function Lasting({ label, open, unsaid = false, value, onChange, minutes }) {
  const [start] = useState(() => now());
  const options = /** @type {[number | null, string][]} */ ([
    ...(unsaid ? [[null, say("forms.not_timed")]] : []), [0, open], ...minutes.map((count) => [
      count, count < 60 ? say("length.minutes", { minutes: count }) : say("length.hours", { hours: count / 60 }),
    ]), [-1, say("forms.until")],
  ]);
  return html`
    <${Choice} label=${label} options=${options} value=${value.minutes}
      onChange=${(/** @type {number | null} */ count) => onChange(count === -1 ? { minutes: count, until: start } : { minutes: count })} />
    ${value.minutes === -1 &&
    html`<${Moment} label=${say("forms.ended")} value=${value.until} onChange=${(/** @type {any} */ until) => until && onChange({ minutes: -1, until })} />`}
  `;
}

/**
 * Start and end of something that lasted: "now" and "10 min" together mean that it has just ended.
 * @param {any} when
 * @param {any} lasting
 */
export function range(when, lasting) {
  const { minutes, until } = lasting;
  if (!minutes) return { started_at: new Date(momentOf(when)).toISOString() };
  if (minutes < 0) return { started_at: new Date(momentOf(when)).toISOString(), ended_at: new Date(until).toISOString() };
  const start = when.ago >= 0 ? now() - Math.max(when.ago, minutes) * 60_000 : momentOf(when);
  return { started_at: new Date(start).toISOString(), ended_at: new Date(Math.min(now(), start + minutes * 60_000)).toISOString() };
}

/**
 * An event as its times were picked. In the night in which an hour comes twice, an end before the start may be the later
 * of two, and a start the earlier.
 * @param {any} event
 */
export function inOrder(event) {
  const { started_at, ended_at } = event;
  if (!started_at || !ended_at || Date.parse(ended_at) >= Date.parse(started_at)) return event;
  const zone = currentZone();
  const candidates = [started_at, ended_at].map((time) => momentsOf(clockTime(Date.parse(time), zone), zone));
  const found = shortest(candidates[0], candidates[1])?.map((moment) => new Date(moment).toISOString());
  return found ? { ...event, started_at: found[0], ended_at: found[1] } : event;
}
