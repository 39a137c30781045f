// All of the family as files. Everything is on this device: nothing is asked of the server.

import { dateOf } from "../model/days.js";
import { Button, Choice } from "../parts/ui.js";
import { now } from "../store/clock.js";
import { download } from "../transfer/download.js";
import { exportJSON, exportTable, fileName, kindsIn } from "../transfer/export.js";
import { KINDS } from "../transfer/kinds.js";
import { BYTE_ORDER_MARK } from "../transfer/csv.js";
import { html, useEffect, useState } from "../vendor/preact.js";
import { inRow, say, sayNodes } from "../words.js";

/** @type {Record<string, import("../words.js").Id>} */
const SAVE = {
  feeding: "export.save_feeds", diaper: "export.save_diapers", sleep: "export.save_sleeps", note: "export.save_notes",
  pumping: "export.save_pumpings", measurement: "export.save_measurements", temperature: "export.save_temperatures",
  medication: "export.save_medicines", activity: "export.save_activities", discard: "export.save_discards",
};

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
      <p>${say("export.entries", { count: total, children: inRow(children.map(({ name }) => name)) })}
        ${store.snapshot?.waiting ? ` ${say("export.waiting")}` : ""}</p>
      <h2>${say("export.everything")}</h2>
      <p class="soft">${sayNodes("export.one_file", { family: family.name })}</p>
      <div class="actions"><${Button} kind="primary" onClick=${json}>${say("export.save_everything")}<//></div>
      ${kinds.length > 0 && html`
        <h2>${say("export.tables")}</h2>
        <p class="soft">${say("export.csv_files", { zone: account.timezone.replaceAll("_", " ") })}</p>
        <${Choice} label=${say("export.to_open_in")} value=${isForExcel} onChange=${setForExcel}
          options=${[[false, say("export.any_spreadsheet")], [true, "Excel"]]} />
        <div class="actions">${kinds.map(({ kind, count }) => html`<${Button} key=${kind} onClick=${() => table(kind)}>
          ${say(SAVE[kind], { count })}<//>`)}</div>`}
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
