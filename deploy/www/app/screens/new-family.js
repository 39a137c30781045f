// Another family, and how it is to share.

import { html, useState } from "../vendor/preact.js";
import { createFamily } from "../sync/family.js";
import { explain } from "../parts/text.js";
import { go, useStore, useWork } from "../parts/hooks.js";
import { Choice, Field, Head, Problem } from "../parts/ui.js";

const meanings = /** @type {Record<string, string>} */ ({
  standard: "Any parent can invite parents, caregivers and viewers.",
  co_parent: "Two parents at most, and only you can invite and remove.",
});

export function NewFamily() {
  const store = useStore();
  const [name, setName] = useState("");
  const [policy, setPolicy] = useState("standard");
  const [isBusy, problem, run] = useWork((error) => (typeof error === "string" ? error : explain(error)));
  const save = (/** @type {Event} */ event) => {
    event.preventDefault();
    run(async () => {
      if (!name.trim()) throw "Give it a name first.";
      await createFamily(store, name.trim(), policy);
      go("today");
    });
  };
  return html`
    <${Head} title="Create a family" back="family" />
    <form onSubmit=${save} novalidate>
      <${Field} label="Name" value=${name} maxlength="100" autocomplete="off" onInput=${(/** @type {any} */ event) => setName(event.target.value)} />
      <${Choice} label="Sharing" options=${[["standard", "Open to helpers"], ["co_parent", "Two parents only"]]} value=${policy} onChange=${setPolicy} />
      <p class="hint">${meanings[policy]}</p>
      <${Problem} text=${problem} />
      <div class="actions"><button class="button primary" aria-disabled=${isBusy ? "true" : undefined}>Create Family</button></div>
    </form>
  `;
}
