// A token for another program: whose family it is for, and what it may.

import { html, useState } from "../vendor/preact.js";
import { say } from "../words.js";
import { createToken } from "../sync/programs.js";
import { byField, explain } from "../parts/text.js";
import { useStore, useWork } from "../parts/hooks.js";
import { Choice, Field, Problem, Select, useInvalid } from "../parts/ui.js";
import { Until } from "./member.js";

/** @typedef {import("../words.js").Id} Id */
/** @type {Record<string, {name: Id, means: Id}>} */
const scopes = {
  read: { name: "programs.look", means: "programs.look_means" },
  log: { name: "programs.look_and_log", means: "programs.look_and_log_means" },
};
/** @param {string} scope a newer server may have others */
export const scopeName = (scope) => (Object.hasOwn(scopes, scope) ? say(scopes[scope].name) : scope);

/** @param {{families: import("../store/types").StoredFamily[], onMade: (token: any) => void}} props */
export function NewProgram({ families, onMade }) {
  const { family } = useStore().snapshot;
  const [name, setName] = useState("");
  const [of, setOf] = useState(family?.id ?? families[0].id);
  const [scope, setScope] = useState(/** @type {"read" | "log"} */ ("read"));
  const [until, setUntil] = useState(/** @type {string | null} */ (null));
  const [errors, setErrors] = useState(/** @type {Record<string, string>} */ ({}));
  const [isBusy, problem, run] = useWork((error) => (byField(error).name ? "" : explain(error)));
  useInvalid(errors);
  const canLog = families.find(({ id }) => id === of)?.role !== "viewer";
  const chosen = canLog ? scope : "read";
  const make = (/** @type {Event} */ event) => {
    event.preventDefault();
    setErrors(name.trim() ? {} : { name: say("programs.say_which") });
    if (!name.trim()) return;
    run(async () => {
      try {
        const expiry = until && { expires_at: until };
        onMade(await createToken({ name: name.trim(), family_id: of, scope: chosen, ...expiry }));
      } catch (error) {
        setErrors(byField(error));
        throw error;
      }
    });
  };
  const options = families.map(({ id, name }) => [id, name]);
  return html`
    <h2>${say("programs.add")}</h2>
    <form onSubmit=${make} novalidate>
      <${Field} label=${say("programs.name")} hint=${say("programs.which")} value=${name} error=${errors.name} maxlength="100"
        autocomplete="off" onInput=${(/** @type {any} */ event) => setName(event.target.value)} />
      ${families.length > 1 && html`<${Select} label=${say("common.family")} value=${of} options=${options} onChange=${setOf} />`}
      ${canLog && html`<${Choice} label=${say("programs.what_it_may")} kind="segments" value=${scope} onChange=${setScope}
        options=${Object.keys(scopes).map((one) => [one, scopeName(one)])} />`}
      <p class="hint">${say(scopes[chosen].means)}</p>
      <${Until} value=${until} onChange=${setUntil} />
      <${Problem} text=${problem} />
      <div class="actions">
        <button class="button primary" aria-disabled=${isBusy ? "true" : undefined}>${say("programs.make_token")}</button>
      </div>
    </form>
  `;
}
