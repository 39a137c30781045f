// What became of one entry, from the family's history of changes: for parents, and with a network.

import { html, useState } from "../vendor/preact.js";
import { get } from "../sync/api.js";
import { explain } from "../text.js";
import { useWork } from "../parts/hooks.js";
import { Button, Problem } from "../parts/ui.js";
import { Changed } from "../parts/changed.js";

const PAGES = 10; // of 200: further back it is looked for on the page of all changes

/** @param {string} family @param {string} id */
async function historyOf(family, id) {
  const found = [];
  let cursor = "";
  for (let page = 0; page < PAGES; page += 1) {
    const answered = await get(`/families/${family}/audit?limit=200${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
    found.push(...answered.entries.filter((/** @type {any} */ entry) => entry.entity_id === id));
    cursor = answered.next_cursor;
    if (!cursor) break;
  }
  return found;
}

/** @param {{id: string, family: any}} props */
export function EntryHistory({ id, family }) {
  const [entries, setEntries] = useState(/** @type {any[] | null} */ (null));
  const [isBusy, problem, run] = useWork(explain);
  if (!entries) {
    return html`
      <${Button} kind="link" busy=${isBusy} onClick=${() => run(async () => setEntries(await historyOf(family.id, id)))}>History of this entry<//>
      <${Problem} text=${problem} />
    `;
  }
  if (!entries.length) return html`<p class="soft">It was never changed.</p>`;
  return html`<ul class="changes">${entries.map((entry) => html`<li key=${entry.id}><${Changed} entry=${entry} family=${family} /></li>`)}</ul>`;
}
