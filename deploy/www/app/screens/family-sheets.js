// What is asked before a family changes its name, loses a member, or ends.

import { html, useState } from "../vendor/preact.js";
import { say } from "../words.js";
import { deleteFamily, leaveFamily, renameFamily } from "../sync/family.js";
import { explain, sentences, texts } from "../parts/text.js";
import { go, useStore, useWork } from "../parts/hooks.js";
import { Confirm, Field, Problem, Sheet } from "../parts/ui.js";

/** @param {any} props */
export function Rename({ family, onClose }) {
  const store = useStore();
  const [name, setName] = useState(family.name);
  const [isBusy, problem, run] = useWork(explain);
  const save = (/** @type {Event} */ event) => {
    event.preventDefault();
    run(() => renameFamily(store, family, name).then(onClose));
  };
  return html`
    <${Sheet} title=${say("family.name")} onClose=${onClose}>
      <form onSubmit=${save}>
        <${Field} label=${say("common.name")} value=${name} maxlength="100" autocomplete="off" onInput=${(/** @type {any} */ event) => setName(event.target.value)} />
        <${Problem} text=${problem} />
        <div class="actions stay"><button class="button primary" aria-disabled=${isBusy ? "true" : undefined}>${say("common.save")}</button></div>
      </form>
    <//>
  `;
}

/** @param {any} props */
export function Leave({ family, onClose }) {
  const store = useStore();
  const [isBusy, problem, run] = useWork(explain);
  return html`<${Confirm} title=${say("family.leave_asked", { family: family.name })} action=${say("family.leave_action")} busy=${isBusy} problem=${problem} onClose=${onClose}
    text=${sentences(say("family.leave_what"), texts.leftBehind(family.unsent))}
    onConfirm=${() => run(() => leaveFamily(store, family).then(() => (onClose(), go("today"))))} />`;
}

/** @param {any} props */
export function Delete({ family, onClose }) {
  const store = useStore();
  const [isBusy, problem, run] = useWork(explain);
  return html`<${Confirm} title=${say("common.delete_asked", { name: family.name })} action=${say("common.delete_for_everyone")} busy=${isBusy} problem=${problem} onClose=${onClose}
    text=${say("family.delete_what")}
    onConfirm=${() => run(() => deleteFamily(store, family).then(() => (onClose(), go("today"))))} />`;
}
