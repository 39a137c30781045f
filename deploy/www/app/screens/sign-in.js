// Create an account, or log in. The session comes in a cookie that this page can't read.

import { html, useState } from "../vendor/preact.js";
import { pendingInvite } from "../store/account.js";
import { post } from "../sync/api.js";
import { byField, explain, texts } from "../parts/text.js";
import { useWork } from "../parts/hooks.js";
import { Button, Field, Head, Problem, useInvalid } from "../parts/ui.js";

/** @type {Record<string, string>} */
const wanted = { name: "Enter your name.", email: "Enter your email.", password: "Enter a password." };

/**
 * What was left empty. The server would say so too, and count it as a try.
 * @param {Record<string, string>} values
 */
const empty = (values) => Object.fromEntries(Object.entries(wanted).filter(([name]) => name in values && !values[name].trim()));

/** @param {string} path @param {any} values */
const send = (path, values) => post(path, { ...values, session: "cookie" }, { seconds: 45 });

/**
 * @param {string} path @param {any} start @param {{onSignedIn: (user: any) => void, left: Promise<any>}} props
 * @param {(error: any) => string} say
 */
function useForm(path, start, { onSignedIn, left }, say) {
  const [values, setValues] = useState(start);
  const [errors, setErrors] = useState(/** @type {Record<string, string>} */ ({}));
  const [isBusy, problem, run] = useWork((error) => (Object.keys(byField(error)).some((name) => name in wanted) ? "" : say(error)));
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
  const say = (/** @type {any} */ error) => (error.status === 403 ? texts.byInvitation(isInvited) : explain(error));
  const { values, field, submit, isBusy, problem } = useForm("/auth/register", start, rest, say);
  return html`
    <${Head} title="Create your account" />
    <form onSubmit=${submit} novalidate>
      <${Field} label="Your name" ...${field("name")} autocomplete="name" />
      <${Field} label="Email" type="email" inputmode="email" ...${field("email")} autocomplete="email" />
      <${Field} label="Password" type="password" ...${field("password")} autocomplete="new-password" hint="At least 8 characters" />
      <${Problem} text=${problem} />
      <div class="actions">
        <button class="button primary" aria-disabled=${isBusy ? "true" : undefined}>Create Account</button>
        <${Button} kind="quiet-button" onClick=${() => onDoor("log-in", values.email)}>I have an account: log in<//>
        <${Button} kind="quiet-button" onClick=${() => onDoor("")}>Back<//>
      </div>
    </form>
  `;
}

/** @param {any} props */
export function LogIn({ onDoor, email, isExpired, canCreate, ...rest }) {
  const { values, field, submit, isBusy, problem } = useForm("/auth/login", { email, password: "" }, rest, explain);
  return html`
    <${Head} title=${isExpired ? "Please log in again" : "Welcome back"} />
    ${isExpired && html`<p class="soft">You were signed out. What you logged is still on this device and is sent once you’re back.</p>`}
    <form onSubmit=${submit} novalidate>
      <${Field} label="Email" type="email" inputmode="email" ...${field("email")} autocomplete="username" />
      <${Field} label="Password" type="password" ...${field("password")} autocomplete="current-password" />
      <${Problem} text=${problem} />
      <div class="actions">
        <button class="button primary" aria-disabled=${isBusy ? "true" : undefined}>Log In</button>
        <${Button} kind="quiet-button" onClick=${() => onDoor("forgot", values.email)}>Forgot your password?<//>
        ${canCreate
          ? html`<${Button} kind="quiet-button" onClick=${() => onDoor("create")}>I’m new: create an account<//>`
          : html`<${Button} kind="quiet-button" onClick=${() => onDoor("invite")}>I’m new: I have an invite<//>`}
        <${Button} kind="quiet-button" onClick=${() => onDoor("")}>Back<//>
      </div>
    </form>
  `;
}
