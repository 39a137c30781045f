// A child: a new one, or one to be edited. With more of a look at deleting, which takes everything with it.

import { html, useState } from "../vendor/preact.js";
import { addChild, deleteChild, editChild } from "../sync/family.js";
import { now } from "../store/clock.js";
import { explain } from "../parts/text.js";
import { dateOf } from "../parts/format.js";
import { go, useStore, useWork } from "../parts/hooks.js";
import { toast } from "../parts/toast.js";
import { Button, Confirm, Field, Head, Problem } from "../parts/ui.js";

/** @param {{rest: string}} props */
export function Child({ rest }) {
  const store = useStore();
  const { family } = store;
  const current = family.children.find((one) => one.id === rest);
  const [opened] = useState(current);
  const child = current ?? opened; // stays while it is deleted
  const [typed, setTyped] = useState(/** @type {any} */ ({})); // over what the child is, which others change meanwhile
  const name = typed.name ?? child?.name ?? "";
  const born = typed.date_of_birth ?? child?.date_of_birth ?? "";
  const [isAsking, setAsking] = useState(false);
  const [isBusy, problem, run] = useWork((error) => (typeof error === "string" ? error : explain(error)));
  const save = (/** @type {Event} */ event) => {
    event.preventDefault();
    run(async () => {
      if (!name.trim() || !born) throw "A name and a date, please.";
      if (!child) await addChild(store, family, { name: name.trim(), date_of_birth: born });
      else if (Object.keys(typed).length) await editChild(store, child, { ...typed, ...("name" in typed && { name: name.trim() }) });
      toast(child ? "Saved" : `${name.trim()} was added`);
      go(child ? "family" : "today");
    });
  };
  const drop = () => run(async () => child && deleteChild(store, child).then(() => go("family")));
  return html`
    <${Head} title=${child ? child.name : "Add a child"} back="family" />
    <form onSubmit=${save} novalidate>
      <${Field} label="Name" value=${name} maxlength="100" autocomplete="off" onInput=${(/** @type {any} */ event) => setTyped({ ...typed, name: event.target.value })} />
      <${Field} label="Date of birth" hint="Or the due date" type="date" min="1900-01-01" max=${dateOf(now() + 365 * 86_400_000)} value=${born} onInput=${(/** @type {any} */ event) => setTyped({ ...typed, date_of_birth: event.target.value })} />
      <${Problem} text=${isAsking ? "" : problem} />
      <div class="actions">
        <button class="button primary" aria-disabled=${isBusy ? "true" : undefined}>${child ? "Save" : "Add Child"}</button>
        ${child && html`<${Button} kind="danger" onClick=${() => setAsking(true)}>Delete<//>`}
      </div>
    </form>
    ${isAsking && child &&
    html`<${Confirm} title=${`Delete ${child.name}?`} action="Delete for everyone" busy=${isBusy} problem=${problem} onConfirm=${drop} onClose=${() => setAsking(false)}
      text="Everything that was logged goes too, for every member. This can’t be undone." />`}
  `;
}
