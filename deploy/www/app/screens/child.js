// A child: a new one, or one to look at and, for parents, to be edited. With more of a look at deleting, which takes
// everything with it.

import { html, useState } from "../vendor/preact.js";
import { say } from "../words.js";
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
    <${Head} title=${child ? child.name : say("today.add_child")} back="family" />
    ${isParent ? html`<${Edit} child=${child} family=${family} />`
      : child && html`<p class="soft">${say("child.born", { date: plainDate(child.date_of_birth), age: age(child.date_of_birth) })}</p>`}
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
      if (!name.trim() || !born) throw say("child.name_and_date");
      if (!child) await addChild(store, family, { name: name.trim(), date_of_birth: born });
      else if (Object.keys(typed).length) await editChild(store, child, { ...typed, ...("name" in typed && { name: name.trim() }) });
      toast(child ? say("common.saved") : say("child.was_added", { child: name.trim() }));
      go(child ? "family" : "today");
    });
  };
  return html`
    <form onSubmit=${save} novalidate>
      <${Field} label=${say("common.name")} value=${name} maxlength="100" autocomplete="off" onInput=${(/** @type {any} */ event) => setTyped({ ...typed, name: event.target.value })} />
      <${Field} label=${say("common.date_of_birth")} hint=${say("common.or_due_date")} type="date" min="1900-01-01" max=${dateOf(now() + 365 * 86_400_000)} value=${born} onInput=${(/** @type {any} */ event) => setTyped({ ...typed, date_of_birth: event.target.value })} />
      <${Problem} text=${problem} />
      <div class="actions"><button class="button primary" aria-disabled=${isBusy ? "true" : undefined}>${child ? say("common.save") : say("child.add")}</button></div>
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
    <div class="actions"><${Button} kind="danger" aria-label=${say("child.delete_named", { child: child.name })}
      onClick=${() => setAsking(true)}>${say("common.delete")}<//></div>
    ${isAsking &&
    html`<${Confirm} title=${say("common.delete_asked", { name: child.name })} action=${say("common.delete_for_everyone")} busy=${isBusy} problem=${problem} onConfirm=${drop} onClose=${() => setAsking(false)}
      text=${say("child.delete_what")} />`}
  `;
}
