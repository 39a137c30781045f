// Create an account, or log in. The session comes in a cookie that this page can't read.

import { html, useState } from "../vendor/preact.js";
import { post } from "../sync/api.js";
import { explain, sentence } from "../parts/text.js";
import { useWork } from "../parts/hooks.js";
import { Button, Field, Head, Problem, useInvalid } from "../parts/ui.js";

/**
 * The refusal's words for each field, where it has any.
 * @param {any} error
 */
function byField(error) {
  /** @type {Record<string, string>} */
  const errors = {};
  for (const { field, message } of error?.details ?? []) errors[field] = sentence(`This ${message}`);
  return errors;
}

/** @type {Record<string, string>} */
const wanted = { name: "Enter your name.", email: "Enter your email.", password: "Enter a password." };

/**
 * What was left empty. The server would say so too, and count it as a try.
 * @param {Record<string, string>} values
 */
const empty = (values) => Object.fromEntries(Object.entries(wanted).filter(([name]) => name in values && !values[name].trim()));

/** @param {string} path @param {any} values */
const send = (path, values) => post(path, { ...values, session: "cookie" }, { seconds: 45 });

/** @param {string} path @param {any} start @param {{onSignedIn: (user: any) => void, left: Promise<any>}} props */
function useForm(path, start, { onSignedIn, left }) {
  const [values, setValues] = useState(start);
  const [errors, setErrors] = useState(/** @type {Record<string, string>} */ ({}));
  const [isBusy, problem, run] = useWork((error) => (Object.keys(byField(error)).some((name) => name in wanted) ? "" : explain(error)));
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
  return { field, submit, isBusy, problem };
}

const zone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** @param {any} props */
export function CreateAccount({ onDoor, ...rest }) {
  const start = { name: "", email: "", password: "", timezone: zone() };
  const { field, submit, isBusy, problem } = useForm("/auth/register", start, rest);
  return html`
    <${Head} title="Create your account" />
    <form onSubmit=${submit} novalidate>
      <${Field} label="Your name" ...${field("name")} autocomplete="name" />
      <${Field} label="Email" type="email" inputmode="email" ...${field("email")} autocomplete="email" />
      <${Field} label="Password" type="password" ...${field("password")} autocomplete="new-password" hint="At least 8 characters" />
      <${Problem} text=${problem} />
      <div class="actions">
        <button class="button primary" aria-disabled=${isBusy ? "true" : undefined}>Create Account</button>
        <${Button} kind="quiet-button" onClick=${() => onDoor("log-in")}>I have an account: log in<//>
        <${Button} kind="quiet-button" onClick=${() => onDoor("")}>Back<//>
      </div>
    </form>
  `;
}

/** @param {any} props */
export function LogIn({ onDoor, email, isExpired, ...rest }) {
  const { field, submit, isBusy, problem } = useForm("/auth/login", { email, password: "" }, rest);
  return html`
    <${Head} title=${isExpired ? "Please log in again" : "Welcome back"} />
    ${isExpired && html`<p class="soft">You were signed out. What you logged is still on this device and is sent once you’re back.</p>`}
    <form onSubmit=${submit} novalidate>
      <${Field} label="Email" type="email" inputmode="email" ...${field("email")} autocomplete="username" />
      <${Field} label="Password" type="password" ...${field("password")} autocomplete="current-password" />
      <${Problem} text=${problem} />
      <div class="actions">
        <button class="button primary" aria-disabled=${isBusy ? "true" : undefined}>Log In</button>
        <${Button} kind="quiet-button" onClick=${() => onDoor("create")}>I’m new: create an account<//>
        <${Button} kind="quiet-button" onClick=${() => onDoor("")}>Back<//>
      </div>
    </form>
  `;
}
