// What an import comes to: what is added, what is changed, and what stays as it is.

import { momentText } from "../parts/format.js";
import { countText, numberText } from "../charts/words.js";
import { kindName, summary, valueText } from "../parts/text.js";
import { html } from "../vendor/preact.js";
import { KINDS } from "./kinds.js";
import { Problems } from "./result.js";

/** @typedef {import("../store/types").StoredChild} StoredChild */

const SHOWN = 4;
const STAYING = 20;
/** So many changes are soon made. */
const AT_ONCE = 60;

/** @param {{prepared: import("./prepare.js").Plan, children: StoredChild[], sources: import("./recognise.js").Source[]}} props */
export function Found({ prepared, children, sources }) {
  const { events, changes, edited, problems, present, leftOut, undecided, noPlace } = prepared;
  const nameOf = (/** @type {string} */ id) => children.find((child) => child.id === id)?.name ?? "";
  const name = kindName;
  const line = (/** @type {string} */ kind, /** @type {any} */ event) =>
    `${summary(kind, event) || name(kind)}, ${momentText(event[KINDS[kind].time])}`;
  const head = events.length ? `${countText(events.length, "entry", "entries")} to import`
    : changes.length ? `${countText(changes.length, "entry", "entries")} to change` : "Nothing new to import";
  return html`
    <h2>${head}</h2>
    ${events.length > 0 && html`<p class="soft">For example:</p><ul class="card rows import-examples">
      ${examples(events).map(({ kind, child, event }) => html`<li>
        <strong>${summary(kind, event) || name(kind)}</strong>
        <span class="soft">${momentText(event[KINDS[kind].time])}, ${nameOf(child)}</span></li>`)}
    </ul>`}
    ${changes.length > 0 && html`<p>${numberText(changes.length)}
      ${changes.length === 1 ? " was imported otherwise before, and is changed" : " were imported otherwise before, and are changed"}
      ${changes.length > AT_ONCE && ` one by one, which takes about ${numberText(Math.ceil(changes.length / 75))} minutes`}:</p>
      <ul class="card rows import-examples">${examples(changes).map((one) => html`<li>
        <strong>${line(one.kind, one.before)}</strong><span class="soft">${differences(one, nameOf)}</span></li>`)}
    </ul>`}
    ${present > 0 && html`<p>${numberText(present)} ${present === 1 ? "is" : "are"} here already.</p>`}
    ${edited.length > 0 && html`<p>${edited.length === 1 ? "1 was changed here after the import, and stays as it is:"
        : `${numberText(edited.length)} were changed here after the import, and stay as they are:`}</p>
      <ul class="import-problems">${edited.slice(0, STAYING).map(({ kind, before, file, line: number }) =>
        html`<li>${file}, line ${number}: ${line(kind, before)}${before.updated_by && `, changed by ${before.updated_by.name}`}</li>`)}</ul>
      ${edited.length > STAYING && html`<p class="soft">And ${numberText(edited.length - STAYING)} more.</p>`}`}
    ${leftOut > 0 && html`<p>${numberText(leftOut)} ${leftOut === 1 ? "is" : "are"} left out, as you chose.</p>`}
    ${undecided > 0 && html`<p class="problem">
      ${countText(undecided, "row")}: choose above whose ${undecided === 1 ? "it is" : "they are"}.</p>`}
    ${Object.entries(noPlace).map(([kind, count]) => html`
      <p>${numberText(count)} × ${name(kind)}: this server has no place for these yet.</p>`)}
    <${Problems} problems=${problems} sources=${sources} />`;
}

/**
 * Of each kind one, then others.
 * @template {{kind: string}} T @param {T[]} all @returns {T[]}
 */
function examples(all) {
  const first = all.filter(({ kind }, place) => all.findIndex((one) => one.kind === kind) === place);
  return [...new Set([...first, ...all.slice(0, SHOWN)])].slice(0, SHOWN);
}

/**
 * @param {import("./prepare.js").Change} change @param {(id: string) => string} nameOf
 */
const differences = ({ before, patch }, nameOf) => Object.entries(patch).map(([field, value]) => {
  if (field === "child_id") return `${nameOf(before.child_id)} → ${nameOf(value)}`;
  return `${valueText(field, before[field], value)} → ${valueText(field, value, before[field])}`;
}).join(", ");
