// All of the family as files. Everything is on this device: nothing is asked of the server.

import { dateOf } from "../model/days.js";
import { Button, Choice } from "../parts/ui.js";
import { now } from "../store/clock.js";
import { download } from "../transfer/download.js";
import { exportJSON, exportTable, fileName, kindsIn } from "../transfer/export.js";
import { KINDS } from "../transfer/kinds.js";
import { countText, numberText } from "../charts/words.js";
import { BYTE_ORDER_MARK } from "../transfer/csv.js";
import { html, useEffect, useState } from "../vendor/preact.js";

/** @param {{store: any, family: import("../store/types").StoredFamily, children: any[], account: any}} props */
export function ExportScreen({ store, family, children, account }) {
  const all = useAll(store, children);
  const [isForExcel, setForExcel] = useState(false);
  if (!all) return html`<p class="soft" aria-busy="true">…</p>`;
  const kinds = kindsIn(all);
  const total = kinds.reduce((sum, { count }) => sum + count, 0);
  const today = dateOf(now(), { timezone: account.timezone, dayStart: "00:00" });
  const nameOf = (/** @type {string} */ what, /** @type {string} */ ending) =>
    fileName(family.name, what, ending, today);
  const json = () =>
    download(nameOf("all", "json"), exportJSON({ family, children: all, now: now() }), "application/json");
  const table = (/** @type {string} */ kind) =>
    download(nameOf(KINDS[kind].path, "csv"), `${isForExcel ? BYTE_ORDER_MARK : ""}${exportTable(kind, all, account.timezone)}`, "text/csv");
  return html`
    <section class="export">
      <p>${countText(total, "entry", "entries")} of ${children.map(({ name }) => name).join(", ")}, as they are on this device.
        ${store.snapshot?.waiting ? " Some are still waiting to be sent; they are in it, too." : ""}</p>
      <h2>Everything</h2>
      <p class="soft">One JSON file with all that ${family.name} has logged. “Import” reads it again.</p>
      <div class="actions"><${Button} kind="primary" onClick=${json}>Save everything<//></div>
      ${kinds.length > 0 && html`
        <h2>Tables</h2>
        <p class="soft">CSV files for spreadsheets. Times are by your clocks
          (${account.timezone.replaceAll("_", " ")}). “Import” reads them again.</p>
        <${Choice} label="To open in" value=${isForExcel} options=${[[false, "Any spreadsheet"], [true, "Excel"]]} onChange=${setForExcel} />
        <div class="actions">${kinds.map(({ kind, count }) => html`<${Button} key=${kind} onClick=${() => table(kind)}>
          ${`Save ${numberText(count)} ${count === 1 ? KINDS[kind].one : KINDS[kind].many}`}<//>`)}</div>`}
    </section>`;
}

/**
 * Each child with its events.
 * @param {any} store @param {any[]} children
 */
function useAll(store, children) {
  const [all, setAll] = useState(/** @type {import("../transfer/export.js").ChildWithEvents[] | null} */ (null));
  const ids = children.map(({ id }) => id).join();
  useEffect(() => {
    let isCurrent = true;
    Promise.all(children.map(async (child) => ({ ...child, events: await store.events(child.id) })))
      .then((found) => isCurrent && setAll(found));
    return () => {
      isCurrent = false;
    };
  }, [store, store.version, ids]);
  return all;
}
