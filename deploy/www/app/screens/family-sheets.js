// What is asked before a family changes its name, loses a member, or ends.

import { html, useState } from "../vendor/preact.js";
import { deleteFamily, leaveFamily, renameFamily } from "../sync/family.js";
import { explain, texts } from "../parts/text.js";
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
    <${Sheet} title="Family name" onClose=${onClose}>
      <form onSubmit=${save}>
        <${Field} label="Name" value=${name} maxlength="100" autocomplete="off" onInput=${(/** @type {any} */ event) => setName(event.target.value)} />
        <${Problem} text=${problem} />
        <div class="actions stay"><button class="button primary" aria-disabled=${isBusy ? "true" : undefined}>Save</button></div>
      </form>
    <//>
  `;
}

/** @param {any} props */
export function Leave({ family, onClose }) {
  const store = useStore();
  const [isBusy, problem, run] = useWork(explain);
  return html`<${Confirm} title=${`Leave ${family.name}?`} action="Leave" busy=${isBusy} problem=${problem} onClose=${onClose}
    text=${`You won’t see its children any more. What you logged stays with the family.${texts.leftBehind(family.unsent)}`}
    onConfirm=${() => run(() => leaveFamily(store, family).then(() => (onClose(), go("today"))))} />`;
}

/** @param {any} props */
export function Delete({ family, onClose }) {
  const store = useStore();
  const [isBusy, problem, run] = useWork(explain);
  return html`<${Confirm} title=${`Delete ${family.name}?`} action="Delete for everyone" busy=${isBusy} problem=${problem} onClose=${onClose}
    text="Its children and everything that was ever logged are deleted, for every member. This can’t be undone."
    onConfirm=${() => run(() => deleteFamily(store, family).then(() => (onClose(), go("today"))))} />`;
}
