// An import while it runs and when it is over, and the rows that weren't taken.

import { Button } from "../parts/ui.js";
import { numberText } from "../charts/words.js";
import { html } from "../vendor/preact.js";
import { download } from "./download.js";
import { rejectedTable } from "./prepare.js";

const SHOWN = 20;

/** @param {{title: string, done: number, total: number, note: string | null, onStop: () => void}} props */
export const Sending = ({ title, done, total, note, onStop }) => html`
  <section class="import-sending">
    <h2 id="import-title">${title}</h2>
    <progress max=${total} value=${done} aria-labelledby="import-title"></progress>
    <p role="status">${numberText(done)} of ${numberText(total)}${note ? `. ${note}` : ""}</p>
    <p class="soft">You may look at other screens; only keep this page open. If it is closed, do the same again: it goes on where it
      was.</p>
    <div class="actions"><${Button} onClick=${onStop}>Stop<//></div>
  </section>`;

/** @param {{outcome: any, sources: import("./recognise.js").Source[], onAgain: () => void, onUndo: () => void}} props */
export function Result({ outcome, sources, onAgain, onUndo }) {
  const { added, deleted, changed, keptAsIs, left, stopped, problems, made } = outcome;
  if ("undone" in outcome) return html`<${Undone} ...${outcome} onAgain=${onAgain} />`;
  const isWhole = !stopped && left === 0;
  return html`
    <section class="import-result" role="status">
      <h2>${isWhole ? "Imported" : "Not everything is imported yet"}</h2>
      ${stopped && html`<p class="problem">${stopped}</p>`}
      <p>${numberText(added)} ${added === 1 ? "entry is" : "entries are"} in${changed > 0
          && `, ${numberText(changed)} ${changed === 1 ? "is" : "are"} changed`}.
        ${added > 0 && " The timeline shows them as they arrive on this device."}</p>
      ${deleted > 0 && html`<p>${numberText(deleted)} had been deleted here, and stay deleted.</p>`}
      ${keptAsIs > 0 && html`<p>${numberText(keptAsIs)} ${keptAsIs === 1 ? "was" : "were"} changed by somebody in the meantime, and
        ${keptAsIs === 1 ? " stays" : " stay"} as ${keptAsIs === 1 ? "it is" : "they are"}.</p>`}
      ${left > 0 && html`<p>${numberText(left)} ${left === 1 ? "is" : "are"} left. Import the same files again: what is
        there isn’t added twice.</p>`}
    </section>
    <${Problems} problems=${problems} sources=${sources} />
    <div class="actions">
      <a class="button primary" href="#/timeline">See the timeline</a>
      <${Button} onClick=${onAgain}>Import more<//>
      ${made && html`<${Button} onClick=${onUndo}>Undo this import<//>`}
    </div>`;
}

/** @param {any} props */
const Undone = ({ undone, kept, left, stopped, onAgain }) => html`
  <section class="import-result" role="status">
    <h2>${left ? "Not everything is undone yet" : "Undone"}</h2>
    ${stopped && html`<p class="problem">${stopped}</p>`}
    <p>${numberText(undone)} ${undone === 1 ? "entry is" : "entries are"} deleted.</p>
    ${kept > 0 && html`<p>${kept === 1 ? "1 was changed since the import, and stays."
      : `${numberText(kept)} were changed since the import, and stay.`}</p>`}
    ${left > 0 && html`<p>${numberText(left)} ${left === 1 ? "is" : "are"} left. Undo the import again to go on.</p>`}
  </section>
  <div class="actions"><${Button} onClick=${onAgain}>Back to Import<//></div>`;

/** @param {{problems: import("./prepare.js").Problem[], sources: import("./recognise.js").Source[]}} props */
export function Problems({ problems, sources }) {
  if (problems.length === 0) return null;
  const files = sources.filter(({ name }) => problems.some(({ file }) => file === name));
  const save = (/** @type {import("./recognise.js").Source} */ source) => {
    const table = rejectedTable(source, problems.filter(({ file }) => file === source.name));
    download(`${source.name.replace(/\.\w+$/, "")}-not-taken.csv`, table, "text/csv");
  };
  const place = (/** @type {string} */ file) => /\.json$/i.test(file) ? "entry" : "line";
  return html`
    <h2>${numberText(problems.length)} ${problems.length === 1 ? "row can’t" : "rows can’t"} be taken</h2>
    <ul class="import-problems">${problems.slice(0, SHOWN).map(({ file, line, reason }) =>
      html`<li>${file}, ${place(file)} ${line}: ${reason}</li>`)}</ul>
    ${problems.length > SHOWN && html`<p class="soft">And ${numberText(problems.length - SHOWN)} more.</p>`}
    <div class="actions">${files.map((source) =>
      html`<${Button} onClick=${() => save(source)}>Save those of ${source.name}<//>`)}</div>`;
}
