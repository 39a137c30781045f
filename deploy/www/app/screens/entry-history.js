// What became of one entry, from the family's history of changes: for parents, and with a network.

import { html, useState } from "../vendor/preact.js";
import { say, sayNodes } from "../words.js";
import { get } from "../sync/api.js";
import { explain } from "../parts/text.js";
import { useWork } from "../parts/hooks.js";
import { Button, Problem } from "../parts/ui.js";
import { Changed } from "../parts/changed.js";

/** @typedef {import("../types/api").AuditEntry} Entry */

const PAGES = 10; // of 200: further back it is looked for on the page of all changes

/** @param {string} family @param {string} id @returns {Promise<{entries: Entry[], isCut: boolean}>} */
async function historyOf(family, id) {
  /** @type {Entry[]} */
  const found = [];
  let cursor = "";
  for (let page = 0; page < PAGES; page += 1) {
    /** @type {import("../types/api").AuditList} */
    const answered = await get(`/families/${family}/audit?limit=200${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
    found.push(...answered.entries.filter((entry) => entry.entity_id === id));
    cursor = answered.next_cursor ?? "";
    if (!cursor) break;
  }
  return { entries: found, isCut: Boolean(cursor) };
}

/** @param {{id: string, family: import("../store/types").StoredFamily}} props */
export function EntryHistory({ id, family }) {
  const [found, setFound] = useState(/** @type {{entries: Entry[], isCut: boolean} | null} */ (null));
  const [isBusy, problem, run] = useWork(explain);
  if (!found) {
    return html`
      <${Button} kind="link" busy=${isBusy} onClick=${() => run(async () => setFound(await historyOf(family.id, id)))}>${say("entry_history.title")}<//>
      <${Problem} text=${problem} />
    `;
  }
  const { entries, isCut } = found;
  return html`
    ${entries.length > 0 && html`<ul class="changes">${entries.map((entry) => html`<li key=${entry.id}><${Changed} entry=${entry} family=${family} /></li>`)}</ul>`}
    ${!entries.length && html`<p class="soft">${say(isCut ? "entry_history.not_lately" : "entry_history.never")}</p>`}
    ${isCut && html`<p class="soft">${sayNodes("entry_history.longer_ago", { link: html`<a href="#/changes">${say("entry_history.link")}</a>` })}</p>`}
  `;
}
