// A child: a new one, or one to look at and, for parents, to be edited. With more of a look at deleting, which takes
// everything with it.

import { html, useState } from "../vendor/preact.js";
import { addChild, deleteChild, editChild } from "../sync/family.js";
import { now } from "../store/clock.js";
import { explain } from "../parts/text.js";
import { age, dateOf, plainDate } from "../parts/format.js";
import { go, useStore, useWork } from "../parts/hooks.js";
import { toast } from "../parts/toast.js";
import { Button, Confirm, Field, Head, Problem } from "../parts/ui.js";
import { Plans } from "./plans.js";

/** @param {{rest: string}} props a child, and a plan of it that is open */
export function Child({ rest }) {
  const store = useStore();
  const { family } = store;
  const [id, plan = ""] = rest.split("/");
  const current = family.children.find((one) => one.id === id);
  const [opened] = useState(current);
  const child = current ?? opened; // stays while it is deleted
  const isParent = family.role === "parent";
  return html`
    <${Head} title=${child ? child.name : "Add a child"} back="family" />
    ${isParent ? html`<${Edit} child=${child} family=${family} />`
      : child && html`<p class="soft">Born: ${plainDate(child.date_of_birth)} · ${age(child.date_of_birth)}</p>`}
    ${child && html`<${Plans} child=${child} canChange=${isParent} open=${plan} />`}
    ${child && isParent && html`<${Delete} child=${child} />`}
  `;
}

/** @param {{child: import("../store/types").StoredChild | undefined, family: import("../store/types").StoredFamily}} props */
function Edit({ child, family }) {
  const store = useStore();
  const [typed, setTyped] = useState(/** @type {any} */ ({})); // over what the child is, which others change meanwhile
  const name = typed.name ?? child?.name ?? "";
  const born = typed.date_of_birth ?? child?.date_of_birth ?? "";
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
  return html`
    <form onSubmit=${save} novalidate>
      <${Field} label="Name" value=${name} maxlength="100" autocomplete="off" onInput=${(/** @type {any} */ event) => setTyped({ ...typed, name: event.target.value })} />
      <${Field} label="Date of birth" hint="Or the due date" type="date" min="1900-01-01" max=${dateOf(now() + 365 * 86_400_000)} value=${born} onInput=${(/** @type {any} */ event) => setTyped({ ...typed, date_of_birth: event.target.value })} />
      <${Problem} text=${problem} />
      <div class="actions"><button class="button primary" aria-disabled=${isBusy ? "true" : undefined}>${child ? "Save" : "Add Child"}</button></div>
    </form>
  `;
}

/** @param {{child: import("../store/types").StoredChild}} props */
function Delete({ child }) {
  const store = useStore();
  const [isAsking, setAsking] = useState(false);
  const [isBusy, problem, run] = useWork(explain);
  const drop = () => run(async () => deleteChild(store, child).then(() => go("family")));
  return html`
    <div class="actions"><${Button} kind="danger" onClick=${() => setAsking(true)}>Delete<span class="unseen"> ${child.name}</span><//></div>
    ${isAsking &&
    html`<${Confirm} title=${`Delete ${child.name}?`} action="Delete for everyone" busy=${isBusy} problem=${problem} onConfirm=${drop} onClose=${() => setAsking(false)}
      text="Everything that was logged goes too, for every member. This can’t be undone." />`}
  `;
}
