// Create an account, or log in. The session comes in a cookie that this page can't read.

import { html, useState } from "../vendor/preact.js";
import { say } from "../words.js";
import { pendingInvite } from "../store/account.js";
import { post } from "../sync/api.js";
import { byField, byInvitation, explain } from "../parts/problems.js";
import { useWork } from "../parts/hooks.js";
import { Button, Field, Head, Problem, useInvalid } from "../parts/ui.js";

const wanted = /** @type {const} */ (["name", "email", "password"]);

/**
 * What was left empty. The server would say so too, and count it as a try.
 * @param {Record<string, string>} values
 */
const empty = (values) => Object.fromEntries(
  wanted.filter((name) => name in values && !values[name].trim()).map((name) => [name, say(`sign_in.enter.${name}`)]));

/** @param {string} path @param {any} values */
const send = (path, values) => post(path, { ...values, session: "cookie" }, { seconds: 45 });

/**
 * @param {string} path @param {any} start @param {{onSignedIn: (user: any) => void, left: Promise<any>}} props
 * @param {(error: any) => string} explained
 */
function useForm(path, start, { onSignedIn, left }, explained) {
  const [values, setValues] = useState(start);
  const [errors, setErrors] = useState(/** @type {Record<string, string>} */ ({}));
  const [isBusy, problem, run] = useWork((error) => (wanted.some((name) => name in byField(error)) ? "" : explained(error)));
  useInvalid(errors);
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    const missing = empty(values);
    setErrors(missing);
    if (Object.keys(missing).length) return;
    run(async () => {
      try {
        await left; // a sign-out that arrives later would end the new session
        const { body } = await send(path, values).catch((error) => {
          if (!("timezone" in byField(error))) throw error;
          const { timezone, ...rest } = values; // one that the server doesn't know; it has one for such an account
          return send(path, rest);
        });
        await onSignedIn(body.user);
      } catch (error) {
        setErrors(byField(error));
        throw error;
      }
    });
  };
  const field = (/** @type {string} */ name) => ({
    name, value: values[name], error: errors[name], onInput: (/** @type {any} */ event) => setValues({ ...values, [name]: event.target.value }),
  });
  return { values, field, submit, isBusy, problem };
}

const zone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** @param {any} props */
export function CreateAccount({ onDoor, isInvited, ...rest }) {
  const invite = pendingInvite(); // a server may take invited people alone; this uses nothing up
  const start = { name: "", email: "", password: "", timezone: zone(), ...(invite && { invite }) };
  const explained = (/** @type {any} */ error) => (error.status === 403 ? byInvitation(isInvited) : explain(error));
  const { values, field, submit, isBusy, problem } = useForm("/auth/register", start, rest, explained);
  return html`
    <${Head} title=${say("sign_in.create_title")} />
    <form onSubmit=${submit} novalidate>
      <${Field} label=${say("common.your_name")} ...${field("name")} autocomplete="name" />
      <${Field} label=${say("common.email")} type="email" inputmode="email" ...${field("email")} autocomplete="email" />
      <${Field} label=${say("common.password")} type="password" ...${field("password")} autocomplete="new-password" hint=${say("common.at_least_8")} />
      <${Problem} text=${problem} />
      <div class="actions">
        <button class="button primary" aria-disabled=${isBusy ? "true" : undefined}>${say("doors.create_account")}</button>
        <${Button} kind="quiet-button" onClick=${() => onDoor("log-in", values.email)}>${say("sign_in.have_account")}<//>
        <${Button} kind="quiet-button" onClick=${() => onDoor("")}>${say("common.back")}<//>
      </div>
    </form>
  `;
}

/** @param {any} props */
export function LogIn({ onDoor, email, isExpired, canCreate, ...rest }) {
  const { values, field, submit, isBusy, problem } = useForm("/auth/login", { email, password: "" }, rest, explain);
  return html`
    <${Head} title=${say(isExpired ? "sign_in.again" : "sign_in.welcome_back")} />
    ${isExpired && html`<p class="soft">${say("sign_in.signed_out")}</p>`}
    <form onSubmit=${submit} novalidate>
      <${Field} label=${say("common.email")} type="email" inputmode="email" ...${field("email")} autocomplete="username" />
      <${Field} label=${say("common.password")} type="password" ...${field("password")} autocomplete="current-password" />
      <${Problem} text=${problem} />
      <div class="actions">
        <button class="button primary" aria-disabled=${isBusy ? "true" : undefined}>${say("doors.log_in")}</button>
        <${Button} kind="quiet-button" onClick=${() => onDoor("forgot", values.email)}>${say("forgot.title")}<//>
        ${canCreate
          ? html`<${Button} kind="quiet-button" onClick=${() => onDoor("create")}>${say("sign_in.new_create")}<//>`
          : html`<${Button} kind="quiet-button" onClick=${() => onDoor("invite")}>${say("sign_in.new_invite")}<//>`}
        <${Button} kind="quiet-button" onClick=${() => onDoor("")}>${say("common.back")}<//>
      </div>
    </form>
  `;
}
