// What was found in the files, and how it is to be understood.

import { Choice, Select } from "../parts/ui.js";
import { countText, numberText } from "../charts/words.js";
import { html } from "../vendor/preact.js";
import { Found } from "./found.js";
import { UNDECIDED } from "./guess.js";
import { answered, childrenIn } from "./recognise.js";

/** @typedef {import("../store/types").StoredChild} StoredChild */

/** Rows of a file that a person is asked about. */
const SHOWN = 3;

const zones = () => /** @type {string[]} */ (/** @type {any} */ (Intl).supportedValuesOf?.("timeZone") ?? []);

/**
 * What only a person can say, each asked where a row waits for it.
 * @type {{about: "decimals" | "dates" | "sides", field: string, label: string, options: [string, string][]}[]}
 */
const QUESTIONS = [
  {
    about: "decimals", field: "mark", label: "Some numbers can be read two ways. How are decimals written?",
    options: [[".", "1.5"], [",", "1,5"]],
  },
  {
    about: "dates", field: "order", label: "Some dates can be read two ways. How is the 25th of November written?",
    options: [["dmy", "25/11/2026"], ["mdy", "11/25/2026"]],
  },
  {
    about: "sides", field: "side", label: "Some breast feeds don’t say at which side they were. Which is it?",
    options: [["left", "Left"], ["right", "Right"], ["both", "Both sides"]],
  },
];

/**
 * `onSay` takes what a person says that a file is.
 * @param {{sources: import("./recognise.js").Source[], choices: any, setChoices: (choices: any) => void,
 *   onSay: (source: import("./recognise.js").Source, said: import("./recognise.js").Source) => void,
 *   children: StoredChild[], prepared: any}} props
 */
export function Preview({ sources, choices, setChoices, onSay, children, prepared }) {
  const mean = (/** @type {any} */ more) => setChoices({ ...choices, meaning: { ...choices.meaning, ...more } });
  const is = (/** @type {string} */ key, /** @type {string} */ id) =>
    setChoices({ ...choices, children: { ...choices.children, [key]: id } });
  const { meaning } = choices;
  const titles = new Set(sources.flatMap((source) => source.is === "table" && !source.form.isOwn ? [source.form.title] : []));
  const hasAny = (/** @type {string[]} */ ...wanted) => wanted.some((title) => titles.has(title));
  const all = [...new Set([meaning.timezone, ...zones()])].map((zone) => [zone, zone.replaceAll("_", " ")]);
  const inFiles = childrenIn(sources);
  const nameOf = (/** @type {string} */ key) => labelOf(inFiles.find((one) => one.key === key)?.label ?? "");
  const keysOf = (/** @type {string} */ id) => inFiles.map(({ key }) => key).filter((key) => choices.children[key] === id);
  const together = children.map(({ id, name }) => ({ name, keys: keysOf(id) })).filter(({ keys }) => keys.length > 1);
  const ours = [...children.map(({ id, name }) => [id, name]), ["", "Leave out"]];
  const asked = QUESTIONS.filter(({ about }) => meaning.asked?.includes(about) || prepared?.unclear[about] > 0);
  return html`
    <h2>In these files</h2>
    <ul class="card rows import-files">${sources.map((source) => html`<li><${File} source=${source} /></li>`)}</ul>
    ${sources.map((source) => html`<${Question} source=${source} onSay=${onSay} />`)}
    ${inFiles.map(({ key, label, count }) => html`<${Select} key=${key} value=${choices.children[key]}
      label=${`${labelOf(label)} (${numberText(count)})`}
      options=${choices.children[key] === UNDECIDED ? [[UNDECIDED, "Choose whose they are"], ...ours] : ours}
      onChange=${(/** @type {string} */ id) => is(key, id)} />`)}
    ${together.map(({ name, keys }) => html`
      <p class="problem">${keys.map(nameOf).join(" and ")} ${keys.length > 2 ? "all" : "both"} go to ${name}.</p>`)}
    ${titles.size > 0 && html`<${Select} label="Times in the files are of" value=${meaning.timezone} options=${all}
      onChange=${(/** @type {string} */ timezone) => mean({ timezone })} />`}
    ${hasAny("Feedings", "Bottles", "Pumpings") && html`<${Choice} label="Amounts are in" value=${meaning.volume}
      options=${[["ml", "ml"], ["oz", "fl oz"]]}
      onChange=${(/** @type {string} */ volume) => mean({ volume })} />`}
    ${hasAny("Weights") && html`<${Choice} label="Weights are in" value=${meaning.weight}
      options=${[["kg", "kg"], ["lb", "lb"], ["g", "g"]]}
      onChange=${(/** @type {string} */ weight) => mean({ weight })} />`}
    ${hasAny("Heights", "Head circumferences") && html`<${Choice} label="Lengths are in" value=${meaning.length}
      options=${[["cm", "cm"], ["in", "in"]]}
      onChange=${(/** @type {string} */ length) => mean({ length })} />`}
    ${asked.map(({ about, field, label, options }) => html`<${Choice} key=${about} label=${label}
      value=${meaning[field] ?? null} options=${options}
      onChange=${(/** @type {string} */ said) => mean({ [field]: said, asked: [...meaning.asked ?? [], about] })} />`)}
    ${(prepared?.elsewhere > 0 || choices.elsewhere) && html`<${Choice} value=${choices.elsewhere ?? null}
      label="Rows that name no child are here already, with another child"
      options=${[["move", "Move them"], ["add", "Add them for this child as well"]]}
      onChange=${(/** @type {string} */ elsewhere) => setChoices({ ...choices, elsewhere })} />`}
    <div aria-live="polite">${prepared
      ? html`<${Found} prepared=${prepared} children=${children} sources=${sources} />`
      : html`<p class="soft">Looking through the rows…</p>`}</div>`;
}

/**
 * What a file is that doesn't say it, with its first rows.
 * @param {{source: import("./recognise.js").Source,
 *   onSay: (source: import("./recognise.js").Source, said: import("./recognise.js").Source) => void}} props
 */
function Question({ source, onSay }) {
  const asked = source.is === "asked" ? source : source.is === "table" ? source.asked : null;
  if (!asked) return null;
  const said = source.is === "table" ? source.form.title : asked.isLeftOut ? "" : UNDECIDED;
  const known = [...asked.forms.map(({ title }) => [title, title]), ["", "Leave out"]];
  return html`
    <${Select} label=${`What is in ${asked.name}?`} value=${said}
      options=${said === UNDECIDED ? [[UNDECIDED, "Choose what it is"], ...known] : known}
      onChange=${(/** @type {string} */ title) => onSay(source, answered(asked, title))} />
    <ul class="card rows import-examples">${asked.table.rows.slice(0, SHOWN).map(({ cells }) =>
      html`<li><span>${cells.filter(Boolean).join(" · ")}</span></li>`)}</ul>`;
}

/** @param {string} label */
const labelOf = (label) => label ? `“${label}”` : "Rows without a child";

/** @param {{source: import("./recognise.js").Source}} props */
function File({ source }) {
  if (source.is === "unknown") {
    return html`<strong>${source.name}</strong><span class="soft">Not taken: ${source.reason}.</span>`;
  }
  if (source.is === "asked") {
    return html`<strong>${source.name}</strong>
      <span class="soft">${countText(source.table.rows.length, "row")} with ${source.table.header.join(", ")}. It doesn’t say what they are.</span>`;
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
