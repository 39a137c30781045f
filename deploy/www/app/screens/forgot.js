// A forgotten password: a link by mail, or who can help where the server sends none.

import { html, useEffect, useState } from "../vendor/preact.js";
import { say, sayNodes } from "../words.js";
import { post } from "../sync/api.js";
import { readServer } from "../sync/server.js";
import { byField, explain } from "../parts/problems.js";
import { useServer, useStore, useWork } from "../parts/hooks.js";
import { Button, Field, Head, Problem, useInvalid } from "../parts/ui.js";

/**
 * `back`: the route that it was opened from; at the doors `onBack`, with what was typed.
 * @param {{email: string, back?: string, onBack?: (email: string) => void}} props
 */
export function Forgot({ email, back, onBack }) {
  const server = useServer();
  const [typed, setTyped] = useState(email);
  const [isSent, setSent] = useState(false);
  useEffect(() => {
    readServer();
  }, []);
  const shared = { typed, back, onBack: onBack && (() => onBack(typed)) };
  if (!server) return html`<${Unknown} ...${shared} />`;
  if (!server.mail) return html`<${WhoHelps} support=${server.support} ...${shared} />`;
  if (isSent) return html`<${Sent} onAgain=${() => setSent(false)} ...${shared} />`;
  return html`<${Ask} onType=${setTyped} onSent=${() => setSent(true)} ...${shared} />`;
}

export function ForgotSignedIn() {
  const store = useStore();
  return html`<${Forgot} email=${store.account.email} back="account" />`;
}

/** @param {any} props */
const Back = ({ onBack }) => onBack && html`<${Button} kind="quiet-button" onClick=${onBack}>${say("forgot.back")}<//>`;

/** @param {any} props */
function Ask({ typed, onType, onSent, back, onBack }) {
  const [errors, setErrors] = useState(/** @type {Record<string, string>} */ ({}));
  const [isBusy, problem, run] = useWork((error) => (byField(error).email ? "" : explain(error)));
  useInvalid(errors);
  const send = (/** @type {Event} */ event) => {
    event.preventDefault();
    setErrors({});
    if (!typed.trim()) return setErrors({ email: say("sign_in.enter.email") });
    run(async () => {
      try {
        await post("/auth/forgot-password", { email: typed.trim() });
        onSent();
      } catch (/** @type {any} */ error) {
        setErrors(byField(error));
        if (error.status === 409) await readServer(); // it has stopped sending mail: this becomes who can help
        throw error;
      }
    });
  };
  return html`
    <${Head} title=${say("forgot.title")} back=${back} />
    <p class="soft">${say("forgot.ask")}</p>
    <form onSubmit=${send} novalidate>
      <${Field} label=${say("common.email")} type="email" inputmode="email" name="email" autocomplete="username" value=${typed} error=${errors.email}
        onInput=${(/** @type {any} */ event) => onType(event.target.value)} />
      <${Problem} text=${problem} />
      <div class="actions">
        <button class="button primary" aria-disabled=${isBusy ? "true" : undefined}>${say("forgot.mail_me")}</button>
        <${Back} onBack=${onBack} />
      </div>
    </form>
  `;
}

/** @param {any} props */
const Sent = ({ typed, onAgain, back, onBack }) => html`
  <${Head} title=${say("forgot.look_at_mail")} back=${back} />
  <p>${say("forgot.link_sent")}</p>
  <p class="soft">${sayNodes("forgot.typed", { email: typed.trim() })}</p>
  <div class="actions">
    <${Button} onClick=${onAgain}>${say("common.try_again")}<//>
    <${Back} onBack=${onBack} />
  </div>
`;

/** @param {any} props */
const WhoHelps = ({ support, back, onBack }) => html`
  <${Head} title=${say("forgot.title")} back=${back} />
  <p>${say("forgot.no_mail")}</p>
  <p><strong><bdi>${support ?? say("forgot.ask_whoever")}</bdi></strong></p>
  <div class="actions"><${Back} onBack=${onBack} /></div>
`;

/** @param {any} props */
function Unknown({ back, onBack }) {
  const [isBusy, problem, run] = useWork(explain);
  const again = () => run(readServer);
  return html`
    <${Head} title=${say("forgot.title")} back=${back} />
    <p class="soft">${problem || say("problem.no_answer")}</p>
    <div class="actions">
      <${Button} kind="primary" busy=${isBusy} onClick=${again}>${say("common.try_again")}<//>
      <${Back} onBack=${onBack} />
    </div>
  `;
}
