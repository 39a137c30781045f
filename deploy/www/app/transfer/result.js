// An import while it runs and when it is over, and the rows that weren't taken.

import { Button } from "../parts/ui.js";
import { html } from "../vendor/preact.js";
import { inRow, say } from "../words.js";
import { download } from "./download.js";
import { rejectedTable } from "./prepare.js";

const SHOWN = 20;

/** @param {{title: string, done: number, total: number, note: string | null, onStop: () => void}} props */
export const Sending = ({ title, done, total, note, onStop }) => html`
  <section class="import-sending">
    <h2 id="import-title">${title}</h2>
    <progress max=${total} value=${done} aria-labelledby="import-title"></progress>
    <p role="status">${say("import.progress", { done, total })}${note ? `. ${note}` : ""}</p>
    <p class="soft">${say("import.keep_open")}</p>
    <div class="actions"><${Button} onClick=${onStop}>${say("import.stop")}<//></div>
  </section>`;

/** @param {{outcome: any, sources: import("./recognise.js").Source[], onAgain: () => void, onUndo: () => void}} props */
export function Result({ outcome, sources, onAgain, onUndo }) {
  const { added, deleted, changed, keptAsIs, left, stopped, problems, made } = outcome;
  if ("undone" in outcome) return html`<${Undone} ...${outcome} onAgain=${onAgain} />`;
  const isWhole = !stopped && left === 0;
  const entriesIn = say("import.are_in", { count: added });
  return html`
    <section class="import-result" role="status">
      <h2>${isWhole ? say("import.imported") : say("import.not_all_imported")}</h2>
      ${stopped && html`<p class="problem">${stopped}</p>`}
      <p>${[
        changed > 0 ? say("import.came_of_it", { came: inRow([entriesIn, say("import.are_changed", { count: changed })]) })
          : say("import.came_of_it", { came: entriesIn }),
        added > 0 && say("import.as_they_arrive"),
      ].filter(Boolean).join(" ")}</p>
      ${deleted > 0 && html`<p>${say("import.stay_deleted", { count: deleted })}</p>`}
      ${keptAsIs > 0 && html`<p>${say("import.kept_as_is", { count: keptAsIs })}</p>`}
      ${left > 0 && html`<p>${say("import.are_left", { count: left })}</p>`}
    </section>
    <${Problems} problems=${problems} sources=${sources} />
    <div class="actions">
      <a class="button primary" href="#/timeline">${say("import.see_timeline")}</a>
      <${Button} onClick=${onAgain}>${say("import.import_more")}<//>
      ${made && html`<${Button} onClick=${onUndo}>${say("import.undo")}<//>`}
    </div>`;
}

/** @param {any} props */
const Undone = ({ undone, kept, left, stopped, onAgain }) => html`
  <section class="import-result" role="status">
    <h2>${left ? say("import.not_all_undone") : say("import.undone")}</h2>
    ${stopped && html`<p class="problem">${stopped}</p>`}
    <p>${say("import.were_deleted", { count: undone })}</p>
    ${kept > 0 && html`<p>${say("import.kept", { count: kept })}</p>`}
    ${left > 0 && html`<p>${say("import.undo_left", { count: left })}</p>`}
  </section>
  <div class="actions"><${Button} onClick=${onAgain}>${say("import.back_to_import")}<//></div>`;

/** @param {{problems: import("./prepare.js").Problem[], sources: import("./recognise.js").Source[]}} props */
export function Problems({ problems, sources }) {
  if (problems.length === 0) return null;
  const files = sources.filter(({ name }) => problems.some(({ file }) => file === name));
  const save = (/** @type {import("./recognise.js").Source} */ source) => {
    const table = rejectedTable(source, problems.filter(({ file }) => file === source.name));
    download(`${source.name.replace(/\.\w+$/, "")}-not-taken.csv`, table, "text/csv");
  };
  const idOf = (/** @type {string} */ file) => /\.json$/i.test(file) ? "import.entry" : "import.line";
  return html`
    <h2>${say("import.cannot_be_taken", { count: problems.length })}</h2>
    <ul class="import-problems">${problems.slice(0, SHOWN).map(({ file, line, reason }) =>
      html`<li>${say(idOf(file), { file, line: String(line), what: reason })}</li>`)}</ul>
    ${problems.length > SHOWN && html`<p class="soft">${say("import.and_more", { count: problems.length - SHOWN })}</p>`}
    <div class="actions">${files.map((source) =>
      html`<${Button} onClick=${() => save(source)}>${say("import.save_those", { file: source.name })}<//>`)}</div>`;
}
