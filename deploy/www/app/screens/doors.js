// For whoever is not signed in: three doors, and what is behind them.

import { html, useEffect, useState } from "../vendor/preact.js";
import { account, pendingInvite, setPendingInvite, tokenIn } from "../store/account.js";
import { Button, Field, Head, useInvalid } from "../parts/ui.js";
import { CreateAccount, LogIn } from "./sign-in.js";

/** @param {{onSignedIn: (user: any) => void, onDoor: () => void, left: Promise<any>}} props `left`: whoever was here before is signed out */
export function Doors({ onSignedIn, onDoor, left }) {
  const known = account(); // signed out by the server: the same person most likely comes back
  const [isInvited, setInvited] = useState(pendingInvite() !== null);
  const [door, setDoor] = useState(known ? "log-in" : isInvited ? "create" : "");
  useEffect(() => {
    if (door) onDoor();
  }, [door]);
  const shared = { isInvited, onSignedIn, left, onDoor: setDoor };
  return html`
    <main class="doors">
      <p class="brand"><img src="/assets/moon.svg" alt="" width="44" height="44" />Baby Basics</p>
      ${isInvited && door && html`<p class="banner" role="status">You’ve been invited to a family!</p>`}
      ${door === "create" && html`<${CreateAccount} ...${shared} />`}
      ${door === "log-in" && html`<${LogIn} ...${shared} email=${known?.email ?? ""} isExpired=${known !== null} />`}
      ${door === "invite" &&
      html`<${HaveInvite} onDoor=${setDoor} onInvite=${() => (setInvited(true), setDoor("create"))} />`}
      ${!door && html`<${Three} onDoor=${setDoor} isInvited=${isInvited} />`}
    </main>
  `;
}

/** @param {any} props */
const Three = ({ onDoor, isInvited }) => html`
  <${Head} title="The nights are short. Keep what matters." />
  <p class="soft">Feeds, sleep and diapers in one place, for everyone who cares for your little one. It works without a connection, too.</p>
  ${isInvited && html`<p class="banner">You’ve been invited to a family!</p>`}
  <div class="actions">
    <${Button} kind="primary" onClick=${() => onDoor("create")}>Create Account<//>
    <${Button} onClick=${() => onDoor("invite")}>I Have an Invite<//>
    <${Button} onClick=${() => onDoor("log-in")}>Log In<//>
  </div>
`;

/** @param {any} props */
function HaveInvite({ onDoor, onInvite }) {
  const [link, setLink] = useState("");
  const [errors, setErrors] = useState(/** @type {{link?: string}} */ ({}));
  useInvalid(errors);
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    const token = tokenIn(link);
    if (!token) return setErrors({ link: "That doesn’t look like an invite link. Paste the whole message, if you like." });
    setPendingInvite(token);
    onInvite();
  };
  return html`
    <${Head} title="I have an invite" />
    <p class="soft">Paste the link that you were sent.</p>
    <form onSubmit=${submit} novalidate>
      <${Field} label="Invite link" name="link" value=${link} error=${errors.link} autocomplete="off" autocapitalize="off"
        onInput=${(/** @type {any} */ event) => setLink(event.target.value)} />
      <div class="actions">
        <button class="button primary">Continue</button>
        <${Button} onClick=${() => onDoor("")}>Back<//>
      </div>
    </form>
  `;
}
