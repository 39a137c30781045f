// The account, and how this device shows things.

import { html, useState } from "../vendor/preact.js";
import { say } from "../words.js";
import { keepAccount } from "../sync/account.js";
import { del, patch } from "../sync/api.js";
import { explain, join, sentences, texts } from "../parts/text.js";
import { useServer, useStore, useWork } from "../parts/hooks.js";
import { Icon } from "../parts/icons.js";
import { toast } from "../parts/toast.js";
import { Button, Confirm, Field, Head, Problem, Select } from "../parts/ui.js";
import { Kept } from "./kept.js";
import { EmailSheet, PasswordSheet } from "./credentials.js";
import { Language } from "./language.js";
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
    <${Head} title=${say("account.title")} back=${store.snapshot.family ? "family" : "today"} />
    <${Profile} store=${store} />
    ${key &&
    html`<ul class="card rows">
      <li><a class="row-button" href="#/told"><${Icon} name="bell" /><span><strong>${say("account.notifications")}</strong></span><${Icon} name="next" /></a></li>
    </ul>`}
    <h2>${say("account.this_device")}</h2>
    <${Kept} />
    <${Language} />
    <${ThisDevice} />
    <h2>${say("account.security")}</h2>
    <ul class="card rows">
      <li><button type="button" class="row-button" onClick=${() => setSheet("email")}><${Icon} name="note" /><span><strong>${say("account.email")}</strong><span class="soft">${store.account.email}</span></span><${Icon} name="next" /></button></li>
      <${Unverified} />
      <li><button type="button" class="row-button" onClick=${() => setSheet("password")}><${Icon} name="check" /><span><strong>${say("account.change_password")}</strong></span><${Icon} name="next" /></button></li>
      <li><a class="row-button" href="#/devices"><${Icon} name="today" /><span><strong>${say("account.signed_in")}</strong></span><${Icon} name="next" /></a></li>
      ${store.snapshot.families.length > 0 && html`<li><a class="row-button" href="#/programs"><${Icon} name="program" /><span><strong>${say("account.programs")}</strong></span><${Icon} name="next" /></a></li>`}
    </ul>
    <div class="actions">
      <${Button} onClick=${() => (store.snapshot.onlyHere ? setSheet("out") : onSignOut())}>${say("account.sign_out")}<//>
      <${Button} kind="danger" onClick=${() => setSheet("delete")}>${say("account.delete")}<//>
    </div>
    ${sheet === "out" &&
    html`<${Confirm} title=${say("account.sign_out_anyway")} action=${say("account.sign_out_and_lose")} onConfirm=${onSignOut} onClose=${close}
      text=${texts.signingOut(store.snapshot.onlyHere)} />`}
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
      toast(say("common.saved"));
    });
  };
  const all = zones();
  const options = (all.includes(value.timezone) ? all : [value.timezone, ...all]).map((zone) => [zone, zone.replaceAll("_", " ")]);
  return html`
    <form onSubmit=${save} novalidate>
      <${Field} label=${say("common.your_name")} value=${value.name} maxlength="100" autocomplete="name" onInput=${set("name")} />
      <${Select} label=${say("account.time_zone")} value=${value.timezone} options=${options} onChange=${set("timezone")} />
      <${Field} label=${say("account.day_begins")} type="time" hint=${say("account.day_begins_hint")} value=${value.day_start_time} onInput=${set("day_start_time")} />
      <${Problem} text=${problem} />
      <div class="actions"><button class="button primary" aria-disabled=${isBusy ? "true" : undefined}>${say("common.save")}</button></div>
    </form>
  `;
}

/** @param {any} props */
function Delete({ onClose, onSignOut }) {
  const { onlyHere } = useStore().snapshot;
  const [password, setPassword] = useState("");
  const [isBusy, problem, run] = useWork((error) =>
    error.status === 409 && error.details.length
      ? say("account.only_parent", { families: join(...error.details.map((/** @type {any} */ one) => one.message)) })
      : error.status === 403 ? say("account.wrong_password") : explain(error),
  );
  const drop = () => run(() => del("/users/me", { body: { password } }).then(onSignOut));
  return html`
    <${Confirm} title=${say("account.delete_asked")} action=${say("account.delete_for_good")} busy=${isBusy} problem=${problem} onConfirm=${drop} onClose=${onClose}
      text=${sentences(say("account.delete_what"), texts.unsent(onlyHere))}>
      <${Field} label=${say("common.your_password")} type="password" autocomplete="current-password" value=${password} onInput=${(/** @type {any} */ event) => setPassword(event.target.value)} />
    <//>
  `;
}
