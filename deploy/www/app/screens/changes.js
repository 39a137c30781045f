// The family's history of changes, for parents.

import { html, useEffect, useState } from "../vendor/preact.js";
import { say } from "../words.js";
import { get } from "../sync/api.js";
import { explain } from "../parts/text.js";
import { useStore, useWork } from "../parts/hooks.js";
import { Changed } from "../parts/changed.js";
import { Button, Head, Problem } from "../parts/ui.js";

export function Changes() {
  const { family } = useStore();
  const [entries, setEntries] = useState(/** @type {any[]} */ ([]));
  const [cursor, setCursor] = useState(/** @type {string | null} */ (""));
  const [isBusy, problem, run] = useWork(explain);
  const more = () =>
    run(async () => {
      const answered = await get(`/families/${family.id}/audit?limit=50${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
      setEntries([...entries, ...answered.entries]);
      setCursor(answered.next_cursor);
    });
  useEffect(() => {
    if (family.role === "parent") more();
  }, []);
  if (family.role !== "parent") return html`<${Head} title=${say("changes.title")} back="family" /><p class="soft">${say("changes.parents_only")}</p>`;
  return html`
    <${Head} title=${say("changes.title")} back="family" />
    <ul class="changes card">
      ${entries.map((entry) => html`<li key=${entry.id}><${Changed} entry=${entry} family=${family} /></li>`)}
    </ul>
    <${Problem} text=${problem} />
    ${cursor !== null && html`<div class="actions"><${Button} busy=${isBusy} onClick=${more}>${entries.length ? say("changes.show_older") : problem ? say("common.try_again") : "…"}<//></div>`}
  `;
}
