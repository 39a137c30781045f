// Trends that need the events themselves: the gaps between feeds, and temperatures.

import { Bars } from "../charts/bars.js";
import { Readings } from "../charts/readings.js";
import { durationText } from "../charts/words.js";
import { dateOf } from "../model/days.js";
import { isGone } from "../model/totals.js";
import { gapsOf } from "../model/trends.js";
import { temperature, temperatureShown } from "../parts/format.js";
import { word } from "../parts/text.js";
import { html } from "../vendor/preact.js";
import { say } from "../words.js";

/** @typedef {import("../model/totals.js").Item} Item */

/** @param {number[]} all */
const average = (all) => all.reduce((sum, one) => sum + one, 0) / all.length;

/** @param {{dates: string[], edges: number[], events: Item[]}} props */
export function Gaps({ dates, edges, events }) {
  const gaps = gapsOf(events, edges).map((day) => day.map((gap) => gap / 60_000));
  const all = gaps.flat();
  if (all.length < 2) return null;
  const text = (/** @type {number} */ minutes) => durationText(Math.round(minutes));
  return html`<${Bars} title=${say("trends.between_feeds")} unit=${say("trends.on_average")} kind="feeds" step=${60}
    days=${gaps.map((day, place) => ({ date: dates[place], value: day.length ? average(day) : null }))}
    summary=${say("trends.gaps", { average: text(average(all)), longest: text(Math.max(...all)) })}
    text=${text} axis=${(/** @type {number} */ value) => say("length.hours", { hours: value / 60 })} />`;
}

/** @param {{dates: string[], edges: number[], events: Item[], person: import("../model/trends.js").Person}} props */
export function Temperatures({ dates, edges, events, person }) {
  const readings = events
    .filter((item) => item.type === "temperature" && !isGone(item) && Date.parse(item.at) >= edges[0])
    .map(({ at: time, event: { celsius: value, site } }) => {
      const at = Date.parse(time);
      return { at, date: dateOf(at, person), value, about: word("site", site) };
    })
    .sort((one, other) => one.at - other.at);
  if (!readings.length) return null;
  const highest = Math.max(...readings.map(({ value }) => value));
  return html`<${Readings} title=${say("kind.temperature")}
    summary=${say("trends.measured", { count: readings.length, highest: temperature(highest) })}
    ...${{ dates, edges, readings, timezone: person.timezone }} shown=${temperatureShown} text=${temperature} />`;
}
