// What was found in the files, and how it is to be understood.

import { momentText } from "../parts/format.js";
import { Choice, Select } from "../parts/ui.js";
import { countText, numberText } from "../charts/words.js";
import { kindNames, summary } from "../text.js";
import { html } from "../vendor/preact.js";
import { KINDS } from "./kinds.js";
import { Problems } from "./result.js";
import { childrenIn } from "./recognise.js";

const zones = () => /** @type {string[]} */ (/** @type {any} */ (Intl).supportedValuesOf?.("timeZone") ?? []);

/**
 * @param {{sources: import("./recognise.js").Source[], choices: any, setChoices: (choices: any) => void,
 *   children: any[], prepared: any}} props
 */
export function Preview({ sources, choices, setChoices, children, prepared }) {
  const mean = (/** @type {any} */ more) => setChoices({ ...choices, meaning: { ...choices.meaning, ...more } });
  const is = (/** @type {string} */ key, /** @type {string} */ id) =>
    setChoices({ ...choices, children: { ...choices.children, [key]: id } });
  const { meaning } = choices;
  const titles = new Set(sources.flatMap((source) => source.is === "table" ? [source.form.title] : []));
  const hasAny = (/** @type {string[]} */ ...wanted) => wanted.some((title) => titles.has(title));
  const all = [...new Set([meaning.timezone, ...zones()])].map((zone) => [zone, zone.replaceAll("_", " ")]);
  const inFiles = childrenIn(sources);
  return html`
    <h2>In these files</h2>
    <ul class="card rows import-files">${sources.map((source) => html`<li><${File} source=${source} /></li>`)}</ul>
    ${inFiles.map(({ key, label, count }) => html`<${Select} key=${key} value=${choices.children[key]}
      label=${`${label ? `“${label}”` : "Rows without a child"} (${numberText(count)})`}
      options=${[...children.map(({ id, name }) => [id, name]), ["", "Leave out"]]}
      onChange=${(/** @type {string} */ id) => is(key, id)} />`)}
    ${titles.size > 0 && html`<${Select} label="Times in the files are of" value=${meaning.timezone} options=${all}
      onChange=${(/** @type {string} */ timezone) => mean({ timezone })} />`}
    ${hasAny("Feedings", "Pumpings") && html`<${Choice} label="Amounts are in" value=${meaning.volume}
      options=${[["ml", "ml"], ["oz", "fl oz"]]}
      onChange=${(/** @type {string} */ volume) => mean({ volume })} />`}
    ${hasAny("Weights") && html`<${Choice} label="Weights are in" value=${meaning.weight}
      options=${[["kg", "kg"], ["lb", "lb"], ["g", "g"]]}
      onChange=${(/** @type {string} */ weight) => mean({ weight })} />`}
    ${hasAny("Heights", "Head circumferences") && html`<${Choice} label="Lengths are in" value=${meaning.length}
      options=${[["cm", "cm"], ["in", "in"]]}
      onChange=${(/** @type {string} */ length) => mean({ length })} />`}
    <div aria-live="polite">${prepared
      ? html`<${Found} prepared=${prepared} children=${children} sources=${sources} />`
      : html`<p class="soft">Looking through the rows…</p>`}</div>`;
}

/** @param {{source: import("./recognise.js").Source}} props */
function File({ source }) {
  if (source.is === "unknown") {
    return html`<strong>${source.name}</strong><span class="soft">Not taken: ${source.reason}.</span>`;
  }
  if (source.is === "export") {
    const count = source.children.reduce((sum, { events }) => sum + events.length, 0);
    return html`<strong>${source.name}</strong>
      <span class="soft">An export of Baby Basics: ${countText(count, "entry", "entries")}</span>`;
  }
  return html`<strong>${source.name}</strong>
    <span class="soft">${source.form.title}: ${countText(source.rows.length, "row")}${source.columnsLeft.length > 0
      ? `. Columns that aren’t taken: ${source.columnsLeft.join(", ")}` : ""}</span>`;
}

/** @param {any} props */
function Found({ prepared, children, sources }) {
  const { events, problems, present, leftOut, noPlace } = prepared;
  const nameOf = (/** @type {string} */ id) => children.find((/** @type {any} */ child) => child.id === id)?.name;
  const name = (/** @type {string} */ kind) => /** @type {any} */ (kindNames)[kind];
  return html`
    <h2>${events.length ? `${countText(events.length, "entry", "entries")} to import` : "Nothing new to import"}</h2>
    ${events.length > 0 && html`<p class="soft">For example:</p><ul class="card rows import-examples">
      ${events.slice(0, 3).map((/** @type {any} */ { kind, child, event }) => html`<li>
        <strong>${summary(kind, event) || name(kind)}</strong>
        <span class="soft">${momentText(event[KINDS[kind].time])}, ${nameOf(child)}</span></li>`)}
    </ul>`}
    ${present > 0 && html`<p>${numberText(present)} ${present === 1 ? "is" : "are"} here already.</p>`}
    ${leftOut > 0 && html`<p>${numberText(leftOut)} ${leftOut === 1 ? "is" : "are"} left out, as you chose.</p>`}
    ${Object.entries(noPlace).map(([kind, count]) => html`
      <p>${numberText(count)} × ${name(kind)}: this server has no place for these yet.</p>`)}
    <${Problems} problems=${problems} sources=${sources} />`;
}
