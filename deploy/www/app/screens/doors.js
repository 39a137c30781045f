// For whoever is not signed in: three doors, and what is behind them.

import { html, useEffect, useState } from "../vendor/preact.js";
import { say } from "../words.js";
import { account, pendingInvite, setPendingInvite, tokenIn } from "../store/account.js";
import { useServer } from "../parts/hooks.js";
import { Button, Field, Head, useInvalid } from "../parts/ui.js";
import { Forgot } from "./forgot.js";
import { CreateAccount, LogIn } from "./sign-in.js";

/** @param {{onSignedIn: (user: any) => void, onDoor: () => void, left: Promise<any>}} props `left`: whoever was here before is signed out */
export function Doors({ onSignedIn, onDoor, left }) {
  const known = account(); // signed out by the server: the same person most likely comes back
  const [isInvited, setInvited] = useState(pendingInvite() !== null);
  const [door, setDoor] = useState(() => (isForgotten() ? "forgot" : known ? "log-in" : isInvited ? "create" : ""));
  const [email, setEmail] = useState(known?.email ?? "");
  const server = useServer();
  const canCreate = isInvited || server?.registration !== "invite";
  const open = (/** @type {string} */ next, /** @type {string} */ typed = email) => (setEmail(typed), setDoor(next));
  useEffect(() => {
    if (door) onDoor();
  }, [door]);
  const shared = { isInvited, onSignedIn, left, onDoor: open };
  return html`
    <main class="doors">
      <p class="brand"><img src="/assets/moon.svg" alt="" width="44" height="44" />${say("common.app")}</p>
      ${isInvited && door && html`<p class="banner" role="status">${say("doors.invited")}</p>`}
      ${door === "create" && html`<${CreateAccount} ...${shared} />`}
      ${door === "log-in" && html`<${LogIn} ...${shared} email=${email} isExpired=${known !== null} canCreate=${canCreate} />`}
      ${door === "forgot" && html`<${Forgot} email=${email} onBack=${(/** @type {string} */ typed) => open("log-in", typed)} />`}
      ${door === "invite" &&
      html`<${HaveInvite} onDoor=${open} onInvite=${() => (setInvited(true), setDoor("create"))} />`}
      ${!door && html`<${Three} onDoor=${open} isInvited=${isInvited} canCreate=${canCreate} isKnown=${server !== null} />`}
    </main>
  `;
}

/** Whether this is where the page of an old link sends people. Once: it is no screen of whoever logs in then. */
function isForgotten() {
  if (location.hash !== "#/forgot") return false;
  history.replaceState(null, "", "/");
  return true;
}

const PATIENCE = 1000; // ms: then it is for the server to say whether a new account can be made

/** @param {any} props */
function Three({ onDoor, isInvited, canCreate, isKnown }) {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), PATIENCE);
    return () => clearTimeout(timer);
  }, []);
  return html`
    <${Head} title=${say("doors.title")} />
    <p class="soft">${say("doors.about")}</p>
    ${isInvited && html`<p class="banner">${say("doors.invited")}</p>`}
    ${(isKnown || isLate) &&
    html`
      <div class="actions">
        ${canCreate && html`<${Button} kind="primary" onClick=${() => onDoor("create")}>${say("doors.create_account")}<//>`}
        <${Button} kind=${canCreate ? "" : "primary"} onClick=${() => onDoor("invite")}>${say("doors.have_invite")}<//>
        <${Button} onClick=${() => onDoor("log-in")}>${say("doors.log_in")}<//>
      </div>
      ${!canCreate && html`<p class="soft small">${say("doors.by_invitation")}</p>`}
    `}
  `;
}

/** @param {any} props */
function HaveInvite({ onDoor, onInvite }) {
  const [link, setLink] = useState("");
  const [errors, setErrors] = useState(/** @type {{link?: string}} */ ({}));
  useInvalid(errors);
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    const token = tokenIn(link);
    if (!token) return setErrors({ link: say("doors.no_invite_link") });
    setPendingInvite(token);
    onInvite();
  };
  return html`
    <${Head} title=${say("doors.i_have_invite")} />
    <p class="soft">${say("doors.paste")}</p>
    <form onSubmit=${submit} novalidate>
      <${Field} label=${say("doors.invite_link")} name="link" value=${link} error=${errors.link} autocomplete="off" autocapitalize="off"
        onInput=${(/** @type {any} */ event) => setLink(event.target.value)} />
      <div class="actions">
        <button class="button primary">${say("doors.continue")}</button>
        <${Button} onClick=${() => onDoor("")}>${say("common.back")}<//>
      </div>
    </form>
  `;
}
