// Import: choose files, look at what they are, send, and see what came of it.

import { useStyles } from "../charts/styles.js";
import { isUS } from "../parts/format.js";
import { Button } from "../parts/ui.js";
import { decodeText } from "../transfer/csv.js";
import { start } from "../transfer/carry-out.js";
import { Earlier } from "../transfer/earlier.js";
import { guessChildren, guessUnits } from "../transfer/guess.js";
import { usePlan } from "../transfer/plan.js";
import { Preview } from "../transfer/preview.js";
import { childrenIn, recognise } from "../transfer/recognise.js";
import { Result, Sending } from "../transfer/result.js";
import { forget, stop, useRun } from "../transfer/run.js";
import { html, useState } from "../vendor/preact.js";
import { inRow, say, sayNodes } from "../words.js";

/** @typedef {import("../transfer/recognise.js").Source} Source */

/** @param {{store: any, family: import("../store/types").StoredFamily, child: import("../store/types").StoredChild, children: any[], account: any}} props */
export function ImportScreen({ store, family, child, children, account }) {
  const [sources, setSources] = useState(/** @type {Source[]} */ ([]));
  const [choices, setChoices] = useState(/** @type {any} */ (null));
  const [asked, setAsked] = useState(/** @type {any} */ (null));
  const { progress, outcome, sources: sent } = useRun();
  const prepared = usePlan(store, family, children, sources, choices);
  const isStyled = useStyles(new URL("../transfer/transfer.css", import.meta.url));

  const choose = async (/** @type {File[]} */ files) => {
    const texts = await Promise.all(files.map(async (file) => decodeText(await file.arrayBuffer())));
    const read = texts.map((text, place) => recognise(files[place].name, text));
    forget();
    look(read, { timezone: account.timezone, dayStart: account.day_start_time });
  };
  const look = (/** @type {Source[]} */ read, /** @type {any} */ meaning) => {
    setSources(read);
    setChoices({
      ...choices, children: { ...guessChildren(childrenIn(read), children, child), ...choices?.children },
      meaning: { ...meaning, ...guessUnits(read, isUS("volume")) },
    });
  };
  const sayWhat = (/** @type {Source} */ source, /** @type {Source} */ said) =>
    look(sources.map((one) => one === source ? said : one), choices.meaning);
  const again = () => {
    setSources([]);
    setChoices(null);
    forget();
  };

  const begin = () => prepared && start(prepared, sources, { store, family: family.id, imports: prepared.imports });

  if (!isStyled) return html`<p class="soft">…</p>`;
  if (family.role === "viewer") {
    return html`<p class="soft">${sayNodes("import.viewer", { family: family.name })}</p>`;
  }
  if (progress) return html`<${Sending} ...${progress} onStop=${stop} />`;
  const earlier = html`<${Earlier} ...${{ store, family, children, asked }} onAsk=${setAsked} inputs=${[outcome, sources]} />`;
  if (outcome) {
    const onUndo = () => setAsked(outcome.made);
    return html`<${Result} outcome=${outcome} sources=${sent} onAgain=${again} onUndo=${onUndo} />${asked && earlier}`;
  }
  return html`
    <section class="import">
      <${Files} onChoose=${choose} hasFiles=${sources.length > 0} />
      ${choices && html`<${Preview} ...${{ sources, choices, setChoices, onSay: sayWhat, children, prepared }} />`}
      ${prepared && isReady(prepared, sources) && html`<div class="actions">
        <${Button} kind="primary" onClick=${begin}>${action(prepared)}<//>
      </div>`}
      ${!choices && earlier}
    </section>`;
}

/**
 * There is something to do, and nothing that a person has still to say.
 * @param {any} prepared @param {Source[]} sources
 */
const isReady = ({ events, changes, undecided, elsewhere }, sources) =>
  events.length + changes.length > 0 && !undecided && !elsewhere
  && !sources.some((source) => source.is === "asked" && !source.isLeftOut);

/** @param {any} prepared */
function action({ events, changes }) {
  const count = changes.length;
  const adding = say("import.import_entries", { count: events.length });
  if (!count) return adding;
  return events.length ? inRow([adding, say("import.change_too", { count })]) : say("import.change_entries", { count });
}

/** @param {{onChoose: (files: File[]) => void, hasFiles: boolean}} props */
function Files({ onChoose, hasFiles }) {
  const pick = (/** @type {any} */ event) => {
    const files = [...event.target.files];
    event.target.value = "";
    if (files.length) onChoose(files);
  };
  return html`
    <p>${say("import.what_for")}</p>
    <label class="button ${hasFiles ? "" : "primary"} file">
      ${hasFiles ? say("import.choose_others") : say("import.choose_files")}
      <input class="unseen" type="file" multiple accept=".csv,.json,text/csv,application/json" onChange=${pick} />
    </label>`;
}
