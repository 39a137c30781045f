// A webhook that is to be: its address, and for what it is called.

import { html, useState } from "../vendor/preact.js";
import { createWebhook } from "../sync/programs.js";
import { byField, explain, kindNames } from "../parts/text.js";
import { useWork } from "../parts/hooks.js";
import { Choice, Field, Problem, useInvalid } from "../parts/ui.js";

/** @type {[import("../types/api").KindName, string][]} */
const all = /** @type {any} */ (Object.entries(kindNames));

/** @param {{family: import("../store/types").StoredFamily, onMade: (hook: any) => void}} props */
export function NewWebhook({ family, onMade }) {
  const [url, setURL] = useState("");
  const [isAll, setAll] = useState(true);
  const [kinds, setKinds] = useState(/** @type {import("../types/api").KindName[]} */ ([]));
  const [errors, setErrors] = useState(/** @type {Record<string, string>} */ ({}));
  const [isBusy, problem, run] = useWork((error) =>
    (typeof error === "string" ? error : byField(error).url ? "" : explain(error)));
  useInvalid(errors);
  const add = (/** @type {Event} */ event) => {
    event.preventDefault();
    const address = url.trim();
    const gap = /^https:\/\/./i.test(address) ? "" : "It has to be an address that begins with https://";
    setErrors(gap ? { url: gap } : {});
    if (gap) return;
    run(async () => {
      if (!isAll && !kinds.length) throw "Choose at least one kind, or all.";
      try {
        onMade(await createWebhook(family.id, { url: address, ...(!isAll && { kinds }) }));
      } catch (error) {
        setErrors(byField(error));
        throw error;
      }
    });
  };
  return html`
    <h2>Add a webhook</h2>
    <form onSubmit=${add} novalidate>
      <${Field} label="Address" hint="https:// and where your program listens" type="url" inputmode="url" value=${url}
        error=${errors.url} maxlength="2048" autocomplete="off" onInput=${(/** @type {any} */ event) => setURL(event.target.value)} />
      <${Choice} label="Called for" kind="segments" options=${[[true, "All"], [false, "Some kinds"]]} value=${isAll}
        onChange=${setAll} />
      ${!isAll && html`<div class="checks" role="group" aria-label="Kinds">${all.map(([kind, name]) => html`
        <label class="check" key=${kind}>
          <input type="checkbox" checked=${kinds.includes(kind)} onChange=${(/** @type {any} */ event) =>
            setKinds(event.target.checked ? [...kinds, kind] : kinds.filter((one) => one !== kind))} />
          <span>${name}</span>
        </label>`)}</div>`}
      <${Problem} text=${problem} />
      <div class="actions"><button class="button primary" aria-disabled=${isBusy ? "true" : undefined}>Add</button></div>
    </form>
  `;
}
