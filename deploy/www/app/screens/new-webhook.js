// A webhook that is to be: its address, and for what it is called.

import { html, useState } from "../vendor/preact.js";
import { say } from "../words.js";
import { createWebhook } from "../sync/programs.js";
import { byField, explain, kindNames } from "../parts/text.js";
import { useWork } from "../parts/hooks.js";
import { Choice, Field, Problem, useInvalid } from "../parts/ui.js";

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
    const gap = /^https:\/\/./i.test(address) ? "" : say("webhooks.needs_https");
    setErrors(gap ? { url: gap } : {});
    if (gap) return;
    run(async () => {
      if (!isAll && !kinds.length) throw say("webhooks.choose_kinds");
      try {
        onMade(await createWebhook(family.id, { url: address, ...(!isAll && { kinds }) }));
      } catch (error) {
        setErrors(byField(error));
        throw error;
      }
    });
  };
  const all = /** @type {[import("../types/api").KindName, string][]} */ (Object.entries(kindNames));
  return html`
    <h2>${say("webhooks.add")}</h2>
    <form onSubmit=${add} novalidate>
      <${Field} label=${say("webhooks.address")} hint=${say("webhooks.address_hint")} type="url" inputmode="url" value=${url}
        error=${errors.url} maxlength="2048" autocomplete="off" onInput=${(/** @type {any} */ event) => setURL(event.target.value)} />
      <${Choice} label=${say("webhooks.called_for_label")} kind="segments" value=${isAll}
        options=${[[true, say("webhooks.all")], [false, say("webhooks.some_kinds")]]} onChange=${setAll} />
      ${!isAll && html`<div class="checks" role="group" aria-label=${say("webhooks.kinds")}>${all.map(([kind, name]) => html`
        <label class="check" key=${kind}>
          <input type="checkbox" checked=${kinds.includes(kind)} onChange=${(/** @type {any} */ event) =>
            setKinds(event.target.checked ? [...kinds, kind] : kinds.filter((one) => one !== kind))} />
          <span>${name}</span>
        </label>`)}</div>`}
      <${Problem} text=${problem} />
      <div class="actions"><button class="button primary" aria-disabled=${isBusy ? "true" : undefined}>${say("webhooks.add_it")}</button></div>
    </form>
  `;
}
