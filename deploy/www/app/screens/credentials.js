// A new email, a new password: both ask for the current password.

import { html, useState } from "../vendor/preact.js";
import { keepAccount } from "../sync/account.js";
import { post } from "../sync/api.js";
import { explain } from "../parts/text.js";
import { useServer, useStore, useWork } from "../parts/hooks.js";
import { toast } from "../parts/toast.js";
import { Field, Problem, Sheet } from "../parts/ui.js";

/** @param {any} error */
const say = (error) => (error.status === 403 ? "That’s not your current password." : explain(error));

/** @param {any} props */
function Credentials({ title, fields, onSave, onClose, children }) {
  const [values, setValues] = useState(/** @type {Record<string, string>} */ ({}));
  const [isBusy, problem, run] = useWork(say);
  const save = (/** @type {Event} */ event) => {
    event.preventDefault();
    run(async () => {
      await onSave(values);
      onClose();
    });
  };
  return html`
    <${Sheet} title=${title} onClose=${onClose}>
      <form onSubmit=${save} novalidate>
        ${fields.map((/** @type {any} */ { name, ...rest }) => html`<${Field} key=${name} name=${name} value=${values[name] ?? ""} ...${rest} onInput=${(/** @type {any} */ event) => setValues({ ...values, [name]: event.target.value })} />`)}
        ${children}
        <${Problem} text=${problem} />
        <div class="actions stay"><button class="button primary" aria-disabled=${isBusy ? "true" : undefined}>Save</button></div>
      </form>
    <//>
  `;
}

const current = { name: "current_password", label: "Current password", type: "password", autocomplete: "current-password" };

/** @param {any} props */
export const PasswordSheet = ({ onClose }) => html`
  <${Credentials} title="Change password" onClose=${onClose}
    fields=${[current, { name: "new_password", label: "New password", type: "password", autocomplete: "new-password", hint: "At least 8 characters. Your other devices are signed out." }]}
    onSave=${async (/** @type {any} */ values) => {
      await post("/auth/change-password", values);
      toast("Password changed. Your other devices are signed out.");
    }}>
    <p><a href="#/forgot" onClick=${onClose}>Forgot your current password?</a></p>
  <//>
`;

/** @param {any} props */
export function EmailSheet({ onClose }) {
  const store = useStore();
  const isMailed = useServer()?.mail === true;
  const hint = isMailed && "We’ll mail both addresses: the new one a link to confirm it, the old one to tell of the change.";
  return html`
    <${Credentials} title="Change email" onClose=${onClose}
      fields=${[{ name: "new_email", label: "New email", type: "email", inputmode: "email", autocomplete: "email", hint }, current]}
      onSave=${async (/** @type {any} */ values) => {
        const { user } = (await post("/auth/change-email", values)).body;
        await keepAccount(store, user);
        toast(isMailed ? "Email changed. Now open the link that we mailed to the new address." : "Email changed");
      }} />
  `;
}
