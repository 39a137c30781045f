// The imports of the last 30 days, each with its way back.

import { momentText } from "../parts/format.js";
import { Button, Confirm } from "../parts/ui.js";
import { countText, numberText } from "../charts/words.js";
import { isKnown } from "../store/kinds.js";
import { now } from "../store/clock.js";
import { html, useEffect, useState } from "../vendor/preact.js";
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
      <h2>Imported in the last 30 days</h2>
      <ul class="card rows import-earlier">${imports.map((one) => html`<li key=${one.id}>
        <strong>${momentText(one.at)}</strong>
        <span class="soft">${countText(Object.keys(one.events).length, "entry", "entries")}
          ${one.isElsewhere ? ` by ${one.by}` : ` from ${one.files.join(", ")}`}</span>
        <${Button} onClick=${() => onAsk(one)}>Undo this import<//></li>`)}
      </ul>`}
    ${asked && plan && html`<${Confirm} title="Undo this import?" text=${words(plan)}
      action=${plan.asMade.length ? `Delete ${countText(plan.asMade.length, "entry", "entries")}` : "Forget it"}
      onConfirm=${confirm} onClose=${() => onAsk(null)} />`}`;
}

/** @param {ReturnType<typeof undoable>} plan */
function words({ asMade, changed }) {
  const stays = changed === 0 ? ""
    : changed === 1 ? " 1 was changed since, and stays." : ` ${numberText(changed)} were changed since, and stay.`;
  const long = asMade.length > 60 ? ` It goes one by one and takes about ${numberText(Math.ceil(asMade.length / 75))} minutes.` : "";
  return `${countText(asMade.length, "entry", "entries")} that it made ${asMade.length === 1 ? "is" : "are"} deleted.${stays}${long}`;
}
