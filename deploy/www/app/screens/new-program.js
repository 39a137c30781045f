// A token for another program: whose family it is for, and what it may.

import { html, useState } from "../vendor/preact.js";
import { createToken } from "../sync/programs.js";
import { byField, explain } from "../parts/text.js";
import { useStore, useWork } from "../parts/hooks.js";
import { Button, Choice, Field, Problem, Select, useInvalid } from "../parts/ui.js";
import { Until } from "./member.js";

/** @type {Record<"read" | "log", {name: string, means: string}>} */
export const scopes = {
  read: { name: "Look", means: "It sees the family, its children and all that was logged, and changes nothing." },
  log: { name: "Look and log", means: "It sees all of that, too, and can log, change and delete entries." },
};

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
    setErrors(name.trim() ? {} : { name: "Say which program it is, so that you know it later." });
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
    <h2>Add a program</h2>
    <form onSubmit=${make} novalidate>
      <${Field} label="Name" hint="Which program it is" value=${name} error=${errors.name} maxlength="100"
        autocomplete="off" onInput=${(/** @type {any} */ event) => setName(event.target.value)} />
      ${families.length > 1 && html`<${Select} label="Family" value=${of} options=${options} onChange=${setOf} />`}
      ${canLog && html`<${Choice} label="What it may" kind="segments" value=${scope} onChange=${setScope}
        options=${Object.entries(scopes).map(([one, { name }]) => [one, name])} />`}
      <p class="hint">${scopes[chosen].means}</p>
      <${Until} value=${until} onChange=${setUntil} />
      <${Problem} text=${problem} />
      <div class="actions">
        <button class="button primary" aria-disabled=${isBusy ? "true" : undefined}>Make a token</button>
      </div>
    </form>
  `;
}
