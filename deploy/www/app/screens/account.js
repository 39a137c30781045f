// The account, and how this device shows things.

import { html, useState } from "../vendor/preact.js";
import { keepAccount } from "../sync/account.js";
import { del, patch } from "../sync/api.js";
import { explain, texts } from "../parts/text.js";
import { useServer, useStore, useWork } from "../parts/hooks.js";
import { Icon } from "../parts/icons.js";
import { toast } from "../parts/toast.js";
import { Button, Confirm, Field, Head, Problem, Select } from "../parts/ui.js";
import { Kept } from "./kept.js";
import { EmailSheet, PasswordSheet } from "./credentials.js";
import { ThisDevice } from "./this-device.js";
import { Unverified } from "./unverified.js";

/** @returns {string[]} */
function zones() {
  const { supportedValuesOf } = /** @type {any} */ (Intl);
  return supportedValuesOf ? supportedValuesOf("timeZone") : [Intl.DateTimeFormat().resolvedOptions().timeZone];
}

/** @param {{onSignOut: () => Promise<void>}} props */
export function Account({ onSignOut }) {
  const store = useStore();
  const [sheet, setSheet] = useState("");
  const close = () => setSheet("");
  const key = useServer()?.push_key;
  return html`
    <${Head} title="Your account" back=${store.snapshot.family ? "family" : "today"} />
    <${Profile} store=${store} />
    ${key &&
    html`<ul class="card rows">
      <li><a class="row-button" href="#/told"><${Icon} name="bell" /><span><strong>Notifications</strong></span><${Icon} name="next" /></a></li>
    </ul>`}
    <h2>This device</h2>
    <${Kept} />
    <${ThisDevice} />
    <h2>Security</h2>
    <ul class="card rows">
      <li><button type="button" class="row-button" onClick=${() => setSheet("email")}><${Icon} name="note" /><span><strong>Email</strong><span class="soft">${store.account.email}</span></span><${Icon} name="next" /></button></li>
      <${Unverified} />
      <li><button type="button" class="row-button" onClick=${() => setSheet("password")}><${Icon} name="check" /><span><strong>Change password</strong></span><${Icon} name="next" /></button></li>
      <li><a class="row-button" href="#/devices"><${Icon} name="today" /><span><strong>Where you’re signed in</strong></span><${Icon} name="next" /></a></li>
      ${store.snapshot.families.length > 0 && html`<li><a class="row-button" href="#/programs"><${Icon} name="program" /><span><strong>Other programs</strong></span><${Icon} name="next" /></a></li>`}
    </ul>
    <div class="actions">
      <${Button} onClick=${() => (store.snapshot.onlyHere ? setSheet("out") : onSignOut())}>Sign Out<//>
      <${Button} kind="danger" onClick=${() => setSheet("delete")}>Delete Account<//>
    </div>
    ${sheet === "out" &&
    html`<${Confirm} title="Sign out anyway?" action="Sign out and lose them" onConfirm=${onSignOut} onClose=${close}
      text=${`${texts.waiting(store.snapshot.onlyHere)} to be sent. Signing out takes everything off this device, these too.`} />`}
    ${sheet === "email" && html`<${EmailSheet} onClose=${close} />`}
    ${sheet === "password" && html`<${PasswordSheet} onClose=${close} />`}
    ${sheet === "delete" && html`<${Delete} onClose=${close} onSignOut=${onSignOut} />`}
  `;
}

/** @param {any} props */
function Profile({ store }) {
  const { name, timezone, day_start_time } = store.account;
  const [value, setValue] = useState({ name, timezone, day_start_time });
  const [isBusy, problem, run] = useWork(explain);
  const set = (/** @type {string} */ field) => (/** @type {any} */ event) => setValue({ ...value, [field]: event.target?.value ?? event });
  const save = (/** @type {Event} */ event) => {
    event.preventDefault();
    run(async () => {
      await keepAccount(store, (await patch("/users/me", value)).body.user);
      toast("Saved");
    });
  };
  const all = zones();
  const options = (all.includes(value.timezone) ? all : [value.timezone, ...all]).map((zone) => [zone, zone.replaceAll("_", " ")]);
  return html`
    <form onSubmit=${save} novalidate>
      <${Field} label="Your name" value=${value.name} maxlength="100" autocomplete="name" onInput=${set("name")} />
      <${Select} label="Time zone" value=${value.timezone} options=${options} onChange=${set("timezone")} />
      <${Field} label="Your day begins at" type="time" hint="What happens before it counts for the day before." value=${value.day_start_time} onInput=${set("day_start_time")} />
      <${Problem} text=${problem} />
      <div class="actions"><button class="button primary" aria-disabled=${isBusy ? "true" : undefined}>Save</button></div>
    </form>
  `;
}

/** @param {any} props */
function Delete({ onClose, onSignOut }) {
  const { onlyHere } = useStore().snapshot;
  const [password, setPassword] = useState("");
  const [isBusy, problem, run] = useWork((error) =>
    error.status === 409 && error.details.length
      ? `You’re the only parent of ${error.details.map((/** @type {any} */ one) => one.message).join(", ")}. Make someone else a parent first, or delete the family.`
      : error.status === 403 ? "That’s not your password." : explain(error),
  );
  const drop = () => run(() => del("/users/me", { body: { password } }).then(onSignOut));
  return html`
    <${Confirm} title="Delete your account?" action="Delete for good" busy=${isBusy} problem=${problem} onConfirm=${drop} onClose=${onClose}
      text=${`Families that only you are in go with it. What you logged for others stays, under your name.${texts.unsent(onlyHere)}`}>
      <${Field} label="Your password" type="password" autocomplete="current-password" value=${password} onInput=${(/** @type {any} */ event) => setPassword(event.target.value)} />
    <//>
  `;
}
