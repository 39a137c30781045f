// The imports of the last 30 days, each with its way back.

import { momentText } from "../parts/format.js";
import { Button, Confirm } from "../parts/ui.js";
import { isKnown } from "../store/kinds.js";
import { now } from "../store/clock.js";
import { html, useEffect, useState } from "../vendor/preact.js";
import { inRow, say, sayNodes } from "../words.js";
import { allImports, undoable } from "./made.js";
import { undo } from "./carry-out.js";

/** @typedef {import("../store/store.js").Store} Store */
/** @typedef {import("../store/types").StoredFamily} StoredFamily */
/** @typedef {import("../store/types").StoredChild} StoredChild */
/** @typedef {import("../store/imports.js").Import} Import */

/** @param {Store} store @param {StoredChild[]} children */
export async function eventsHere(store, children) {
  const all = await Promise.all(children.map(({ id }) => store.events(id)));
  return new Map(all.flat().filter(({ type }) => isKnown(type)).map((one) => [one.event.id, one]));
}

/**
 * @param {{store: Store, family: StoredFamily, children: StoredChild[], asked: Import | null, onAsk: (one: Import | null) => void, inputs: any[]}} props
 *   `asked` is what somebody wants to undo; `inputs` are what the list changes with
 */
export function Earlier({ store, family, children, asked, onAsk, inputs }) {
  const [imports, setImports] = useState(/** @type {Import[]} */ ([]));
  const [plan, setPlan] = useState(/** @type {ReturnType<typeof undoable> | null} */ (null));
  useEffect(() => {
    let isCurrent = true;
    eventsHere(store, children).then((here) => allImports(store, family.id, [...here.values()], now()))
      .then((found) => isCurrent && setImports(found));
    return () => {
      isCurrent = false;
    };
  }, [store, family.id, ...inputs]);
  useEffect(() => {
    setPlan(null);
    if (asked) eventsHere(store, children).then((here) => setPlan(undoable(asked, here, store.snapshot.waitingIds)));
  }, [asked]);
  const confirm = () => {
    onAsk(null);
    if (asked && plan) undo(asked, plan.asMade, plan.changed, store);
  };
  return html`
    ${imports.length > 0 && html`
      <h2>${say("import.lately")}</h2>
      <ul class="card rows import-earlier">${imports.map((one) => html`<li key=${one.id}>
        <strong>${momentText(one.at)}</strong>
        <span class="soft">${whence(one)}</span>
        <${Button} onClick=${() => onAsk(one)}>${say("import.undo")}<//></li>`)}
      </ul>`}
    ${asked && plan && html`<${Confirm} title=${say("import.undo_asked")} text=${words(plan)}
      action=${plan.asMade.length ? say("import.delete_entries", { count: plan.asMade.length }) : say("import.forget_it")}
      onConfirm=${confirm} onClose=${() => onAsk(null)} />`}`;
}

/** @param {Import} one */
function whence({ events, isElsewhere, by, files }) {
  const count = Object.keys(events).length;
  return isElsewhere ? sayNodes("import.entries_by", { count, name: by }) : sayNodes("import.entries_from", { count, files: inRow(files) });
}

/** @param {ReturnType<typeof undoable>} plan */
function words({ asMade, changed }) {
  const stays = changed > 0 && say("import.changed_since", { count: changed });
  const long = asMade.length > 60 && say("import.undo_takes", { count: Math.ceil(asMade.length / 75) });
  return [say("import.are_deleted", { count: asMade.length }), stays, long].filter(Boolean).join(" ");
}
