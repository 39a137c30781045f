// Another family, and how it is to share.

import { html, useState } from "../vendor/preact.js";
import { say, sayIf } from "../words.js";
import { createFamily } from "../sync/family.js";
import { explain } from "../parts/text.js";
import { go, useStore, useWork } from "../parts/hooks.js";
import { Choice, Field, Head, Problem } from "../parts/ui.js";

export function NewFamily() {
  const store = useStore();
  const [name, setName] = useState("");
  const [policy, setPolicy] = useState("standard");
  const [isBusy, problem, run] = useWork((error) => (typeof error === "string" ? error : explain(error)));
  const save = (/** @type {Event} */ event) => {
    event.preventDefault();
    run(async () => {
      if (!name.trim()) throw say("new_family.name_first");
      await createFamily(store, name.trim(), policy);
      go("today");
    });
  };
  return html`
    <${Head} title=${say("new_family.title")} back="family" />
    <form onSubmit=${save} novalidate>
      <${Field} label=${say("common.name")} value=${name} maxlength="100" autocomplete="off" onInput=${(/** @type {any} */ event) => setName(event.target.value)} />
      <${Choice} label=${say("new_family.sharing")} options=${[["standard", say("new_family.standard")], ["co_parent", say("new_family.co_parent")]]} value=${policy} onChange=${setPolicy} />
      <p class="hint">${sayIf("new_family.meaning", policy)}</p>
      <${Problem} text=${problem} />
      <div class="actions"><button class="button primary" aria-disabled=${isBusy ? "true" : undefined}>${say("new_family.create")}</button></div>
    </form>
  `;
}
