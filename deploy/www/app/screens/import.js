// Import: choose files, look at what they are, send, and see what came of it.

import { loadStyles } from "../charts/styles.js";
import { countText } from "../charts/words.js";
import { isUS } from "../parts/format.js";
import { Button } from "../parts/ui.js";
import { now } from "../sync/clock.js";
import { decodeText } from "../transfer/csv.js";
import { Preview } from "../transfer/preview.js";
import { FIRST_KINDS, kindsKnownTo } from "../transfer/kinds.js";
import { prepare } from "../transfer/prepare.js";
import { childrenIn, guessChildren, guessUnits, recognise } from "../transfer/recognise.js";
import { Result, Sending } from "../transfer/result.js";
import { forget, start, stop, useRun } from "../transfer/run.js";
import { html, useEffect, useState } from "../vendor/preact.js";

/** @typedef {import("../transfer/recognise.js").Source} Source */

/** @param {{store: any, family: any, child: any, children: any[], account: any}} props */
export function ImportScreen({ store, family, child, children, account }) {
  const [sources, setSources] = useState(/** @type {Source[]} */ ([]));
  const [choices, setChoices] = useState(/** @type {any} */ (null));
  const { progress, outcome, sources: sent } = useRun();
  const prepared = usePrepared(store, children, sources, choices);
  useEffect(() => {
    loadStyles(new URL("../transfer/transfer.css", import.meta.url));
  }, []);

  const choose = async (/** @type {File[]} */ files) => {
    const texts = await Promise.all(files.map(async (file) => decodeText(await file.arrayBuffer())));
    const read = texts.map((text, place) => recognise(files[place].name, text));
    forget();
    setSources(read);
    setChoices({
      children: guessChildren(childrenIn(read), children, child),
      meaning: { timezone: account.timezone, dayStart: account.day_start_time, ...guessUnits(read, isUS("volume")) },
    });
  };
  const again = () => {
    setSources([]);
    setChoices(null);
    forget();
  };

  if (family.role === "viewer") {
    return html`<p class="soft">You’re a viewer in ${family.name}: you can look at everything, and import nothing.</p>`;
  }
  if (progress) return html`<${Sending} ...${progress} onStop=${stop} />`;
  if (outcome) return html`<${Result} outcome=${outcome} sources=${sent} onAgain=${again} />`;
  return html`
    <section class="import">
      <${Files} onChoose=${choose} hasFiles=${sources.length > 0} />
      ${choices && html`<${Preview} ...${{ sources, choices, setChoices, children, prepared }} />`}
      ${prepared && prepared.events.length > 0 && html`<div class="actions">
        <${Button} kind="primary" onClick=${() => start(prepared, sources)}>Import ${countText(prepared.events.length, "entry", "entries")}<//>
      </div>`}
    </section>`;
}

/** @param {{onChoose: (files: File[]) => void, hasFiles: boolean}} props */
function Files({ onChoose, hasFiles }) {
  const pick = (/** @type {any} */ event) => {
    const files = [...event.target.files];
    event.target.value = "";
    if (files.length) onChoose(files);
  };
  return html`
    <p>Bring along what you have logged elsewhere: the CSV files of Baby Buddy, or a file that “Export” made.
      First you’ll see what is in them. Importing the same file again adds nothing twice.</p>
    <label class="button ${hasFiles ? "" : "primary"} file">
      ${hasFiles ? "Choose other files" : "Choose files"}
      <input class="unseen" type="file" multiple accept=".csv,.json,text/csv,application/json" onChange=${pick} />
    </label>`;
}

/**
 * What the files come to, anew with each choice.
 * @param {any} store @param {any[]} children @param {Source[]} sources @param {any} choices
 */
function usePrepared(store, children, sources, choices) {
  const [prepared, setPrepared] = useState(/** @type {Awaited<ReturnType<typeof prepare>> | null} */ (null));
  useEffect(() => {
    setPrepared(null);
    if (!choices) return undefined;
    let isCurrent = true;
    const find = async () => {
      const [kinds, here] = await Promise.all([serverKinds(), Promise.all(children.map(({ id }) => store.events(id)))]);
      const existing = new Set(here.flat().map(({ event }) => event.id));
      const found = await prepare(sources, { ...choices, kinds, existing, now: now() });
      if (isCurrent) setPrepared(found);
    };
    find();
    return () => {
      isCurrent = false;
    };
  }, [store, sources, choices]);
  return prepared;
}

/** The kinds that this server has a place for. */
async function serverKinds() {
  try {
    return kindsKnownTo(await (await fetch("/api/openapi.json")).json());
  } catch {
    return FIRST_KINDS;
  }
}
