// What an import comes to: what is added, what is changed, and what stays as it is.

import { momentText } from "../parts/format.js";
import { join, kindName, summary, valueText } from "../parts/text.js";
import { html } from "../vendor/preact.js";
import { say, sayNodes } from "../words.js";
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
    join(summary(kind, event) || name(kind), momentText(event[KINDS[kind].time]));
  const head = events.length ? say("import.to_import", { count: events.length })
    : changes.length ? say("import.to_change", { count: changes.length }) : say("import.nothing_new");
  return html`
    <h2>${head}</h2>
    ${events.length > 0 && html`<p class="soft">${say("import.for_example")}</p><ul class="card rows import-examples">
      ${examples(events).map(({ kind, child, event }) => html`<li>
        <strong>${summary(kind, event) || name(kind)}</strong>
        <span class="soft">${join(momentText(event[KINDS[kind].time]), nameOf(child))}</span></li>`)}
    </ul>`}
    ${changes.length > 0 && html`<p>${changes.length > AT_ONCE
      ? say("import.imported_otherwise_long", { count: changes.length, minutes: Math.ceil(changes.length / 75) })
      : say("import.imported_otherwise", { count: changes.length })}</p>
      <ul class="card rows import-examples">${examples(changes).map((one) => html`<li>
        <strong>${line(one.kind, one.before)}</strong><span class="soft">${differences(one, nameOf)}</span></li>`)}
    </ul>`}
    ${present > 0 && html`<p>${say("import.here_already", { count: present })}</p>`}
    ${edited.length > 0 && html`<p>${say("import.changed_here", { count: edited.length })}</p>
      <ul class="import-problems">${edited.slice(0, STAYING).map(({ kind, before, file, line: number }) =>
        html`<li>${before.updated_by
          ? sayNodes("import.line_changed_by", { file, line: String(number), entry: line(kind, before), name: before.updated_by.name })
          : sayNodes("import.line", { file, line: String(number), what: line(kind, before) })}</li>`)}</ul>
      ${edited.length > STAYING && html`<p class="soft">${say("import.and_more", { count: edited.length - STAYING })}</p>`}`}
    ${leftOut > 0 && html`<p>${say("import.left_out", { count: leftOut })}</p>`}
    ${undecided > 0 && html`<p class="problem">${say("import.whose", { count: undecided })}</p>`}
    ${Object.entries(noPlace).map(([kind, count]) => html`
      <p>${say("import.no_place", { count, kind: name(kind) })}</p>`)}
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
const differences = ({ before, patch }, nameOf) => join(...Object.entries(patch).map(([field, value]) => {
  if (field === "child_id") return say("import.becomes", { before: nameOf(before.child_id), after: nameOf(value) });
  return say("import.becomes", { before: valueText(field, before[field], value), after: valueText(field, value, before[field]) });
}));
