// A new email, a new password: both ask for the current password.

import { html, useState } from "../vendor/preact.js";
import { say } from "../words.js";
import { keepAccount } from "../sync/account.js";
import { post } from "../sync/api.js";
import { explain } from "../parts/text.js";
import { useServer, useStore, useWork } from "../parts/hooks.js";
import { toast } from "../parts/toast.js";
import { Field, Problem, Sheet } from "../parts/ui.js";

/** @param {any} error */
const why = (error) => (error.status === 403 ? say("credentials.not_current") : explain(error));

/** @param {any} props */
function Credentials({ title, fields, onSave, onClose, children }) {
  const [values, setValues] = useState(/** @type {Record<string, string>} */ ({}));
  const [isBusy, problem, run] = useWork(why);
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
        <div class="actions stay"><button class="button primary" aria-disabled=${isBusy ? "true" : undefined}>${say("common.save")}</button></div>
      </form>
    <//>
  `;
}

const current = () =>
  ({ name: "current_password", label: say("credentials.current"), type: "password", autocomplete: "current-password" });

/** @param {any} props */
export const PasswordSheet = ({ onClose }) => html`
  <${Credentials} title=${say("account.change_password")} onClose=${onClose}
    fields=${[current(), {
      name: "new_password", label: say("credentials.new_password"), type: "password", autocomplete: "new-password",
      hint: say("credentials.password_hint"),
    }]}
    onSave=${async (/** @type {any} */ values) => {
      await post("/auth/change-password", values);
      toast(say("credentials.password_changed"));
    }}>
    <p><a href="#/forgot" onClick=${onClose}>${say("credentials.forgot")}</a></p>
  <//>
`;

/** @param {any} props */
export function EmailSheet({ onClose }) {
  const store = useStore();
  const isMailed = useServer()?.mail === true;
  const hint = isMailed && say("credentials.both_mailed");
  return html`
    <${Credentials} title=${say("credentials.change_email")} onClose=${onClose}
      fields=${[{
        name: "new_email", label: say("credentials.new_email"), type: "email", inputmode: "email", autocomplete: "email", hint,
      }, current()]}
      onSave=${async (/** @type {any} */ values) => {
        const { user } = (await post("/auth/change-email", values)).body;
        await keepAccount(store, user);
        toast(isMailed ? say("credentials.email_changed_confirm") : say("credentials.email_changed"));
      }} />
  `;
}
