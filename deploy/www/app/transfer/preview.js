// What was found in the files, and how it is to be understood.

import { Choice, Select } from "../parts/ui.js";
import { html } from "../vendor/preact.js";
import { inRow, listed, say } from "../words.js";
import { Found } from "./found.js";
import { titleOf } from "./baby-buddy.js";
import { UNDECIDED } from "./guess.js";
import { answered, childrenIn } from "./recognise.js";

/** @typedef {import("../store/types").StoredChild} StoredChild */
/** @typedef {import("../words.js").Id} Id */

/** Rows of a file that a person is asked about. */
const SHOWN = 3;

const zones = () => /** @type {string[]} */ (/** @type {any} */ (Intl).supportedValuesOf?.("timeZone") ?? []);

/**
 * What only a person can say, each asked where a row waits for it.
 * @type {{about: "decimals" | "dates" | "sides", field: string, label: Id, options: () => [string, string][]}[]}
 */
const QUESTIONS = [
  {
    about: "decimals", field: "mark", label: "import.which_decimals",
    options: () => [[".", "1.5"], [",", "1,5"]],
  },
  {
    about: "dates", field: "order", label: "import.which_dates",
    options: () => [["dmy", "25/11/2026"], ["mdy", "11/25/2026"]],
  },
  {
    about: "sides", field: "side", label: "import.which_side",
    options: () => [["left", say("word.side.left")], ["right", say("word.side.right")], ["both", say("word.side.both")]],
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
  const ours = [...children.map(({ id, name }) => [id, name]), ["", say("common.leave_out")]];
  const asked = QUESTIONS.filter(({ about }) => meaning.asked?.includes(about) || prepared?.unclear[about] > 0);
  return html`
    <h2>${say("import.in_these_files")}</h2>
    <ul class="card rows import-files">${sources.map((source) => html`<li><${File} source=${source} /></li>`)}</ul>
    ${sources.map((source) => html`<${Question} source=${source} onSay=${onSay} />`)}
    ${inFiles.map(({ key, label, count }) => html`<${Select} key=${key} value=${choices.children[key]}
      label=${say("import.child_rows", { child: labelOf(label), count })}
      options=${choices.children[key] === UNDECIDED ? [[UNDECIDED, say("import.choose_whose")], ...ours] : ours}
      onChange=${(/** @type {string} */ id) => is(key, id)} />`)}
    ${together.map(({ name, keys }) => html`
      <p class="problem">${
        say(keys.length > 2 ? "import.all_go_to" : "import.both_go_to", { children: listed(keys.map(nameOf)), child: name })}</p>`)}
    ${titles.size > 0 && html`<${Select} label=${say("import.times_are_of")} value=${meaning.timezone} options=${all}
      onChange=${(/** @type {string} */ timezone) => mean({ timezone })} />`}
    ${hasAny("Feedings", "Bottles", "Pumpings") && html`<${Choice} label=${say("import.amounts_are_in")} value=${meaning.volume}
      options=${[["ml", say("unit.name.ml")], ["oz", say("unit.name.fl_oz")]]}
      onChange=${(/** @type {string} */ volume) => mean({ volume })} />`}
    ${hasAny("Weights") && html`<${Choice} label=${say("import.weights_are_in")} value=${meaning.weight}
      options=${[["kg", say("unit.name.kg")], ["lb", say("unit.name.lb")], ["g", say("unit.name.g")]]}
      onChange=${(/** @type {string} */ weight) => mean({ weight })} />`}
    ${hasAny("Heights", "Head circumferences") && html`<${Choice} label=${say("import.lengths_are_in")} value=${meaning.length}
      options=${[["cm", say("unit.name.cm")], ["in", say("unit.name.in")]]}
      onChange=${(/** @type {string} */ length) => mean({ length })} />`}
    ${asked.map(({ about, field, label, options }) => html`<${Choice} key=${about} label=${say(label)}
      value=${meaning[field] ?? null} options=${options()}
      onChange=${(/** @type {string} */ said) => mean({ [field]: said, asked: [...meaning.asked ?? [], about] })} />`)}
    ${(prepared?.elsewhere > 0 || choices.elsewhere) && html`<${Choice} value=${choices.elsewhere ?? null}
      label=${say("import.with_another_child")}
      options=${[["move", say("import.move_them")], ["add", say("import.add_them")]]}
      onChange=${(/** @type {string} */ elsewhere) => setChoices({ ...choices, elsewhere })} />`}
    <div aria-live="polite">${prepared
      ? html`<${Found} prepared=${prepared} children=${children} sources=${sources} />`
      : html`<p class="soft">${say("import.looking")}</p>`}</div>`;
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
  const known = [...asked.forms.map((form) => [form.title, titleOf(form)]), ["", say("common.leave_out")]];
  return html`
    <${Select} label=${say("import.what_is_in", { file: asked.name })} value=${said}
      options=${said === UNDECIDED ? [[UNDECIDED, say("import.choose_what")], ...known] : known}
      onChange=${(/** @type {string} */ title) => onSay(source, answered(asked, title))} />
    <ul class="card rows import-examples">${asked.table.rows.slice(0, SHOWN).map(({ cells }) =>
      html`<li><span>${cells.filter(Boolean).join(" · ")}</span></li>`)}</ul>`;
}

/** @param {string} label */
const labelOf = (label) => label ? say("import.named", { name: label }) : say("import.no_child");

/** @param {{source: import("./recognise.js").Source}} props */
function File({ source }) {
  if (source.is === "unknown") {
    return html`<strong>${source.name}</strong><span class="soft">${say("import.not_taken", { reason: source.reason })}</span>`;
  }
  if (source.is === "asked") {
    return html`<strong>${source.name}</strong>
      <span class="soft">${
        say("import.rows_with", { count: source.table.rows.length, columns: inRow(source.table.header) })}</span>`;
  }
  if (source.is === "export") {
    const count = source.children.reduce((sum, { events }) => sum + events.length, 0);
    return html`<strong>${source.name}</strong>
      <span class="soft">${say("import.own_entries", { count })}</span>`;
  }
  return html`<strong>${source.name}</strong>
    <span class="soft">${say(source.columnsLeft.length ? "import.rows_of_left" : "import.rows_of", {
      count: source.rows.length, title: titleOf(source.form), columns: inRow(source.columnsLeft),
    })}</span>`;
}
