// An invite: who for, then the link to send. Below, those that are still open.

import { html, useEffect, useState } from "../vendor/preact.js";
import { say, sayNodes } from "../words.js";
import { createInvite, openInvites, revokeInvite } from "../sync/family.js";
import { byField, explain, roleMeanings, roles } from "../parts/text.js";
import { momentText } from "../parts/format.js";
import { useServer, useStore, useWork } from "../parts/hooks.js";
import { Icon } from "../parts/icons.js";
import { may } from "../parts/may.js";
import { Button, Choice, Field, Head, Problem, useInvalid } from "../parts/ui.js";
import { Made } from "./invite-made.js";
import { Until } from "./member.js";

export function Invite() {
  const store = useStore();
  const { family } = store;
  const can = may(family, store.account.id);
  const [made, setMade] = useState(/** @type {import("../types/api").Invite | null} */ (null));
  const [open, setOpen] = useState(/** @type {import("../types/api").OpenInvite[]} */ ([]));
  const [, problem, read] = useWork(explain);
  useEffect(() => {
    read(async () => setOpen(await openInvites(family.id)));
  }, [made]);
  if (!can.invite && !can.delete) return html`<${Head} title=${say("invite.title_short")} back="family" /><p class="soft">${say("invite.not_you")}</p>`;
  return html`
    ${made ? html`<${Made} invite=${made} family=${family} onMade=${setMade} />` : html`<${Make} family=${family} can=${can} onMade=${setMade} />`}
    ${(open.length > 0 || problem) && html`<h2>${say("invite.open")}</h2>`}
    <${Problem} text=${problem} />
    ${open.length > 0 &&
    html`
      <ul class="card rows">
        ${open.map((invite) => html`<li key=${invite.id}><${Open} invite=${invite} family=${family} onGone=${() => setOpen(open.filter((one) => one.id !== invite.id))} /></li>`)}
      </ul>
    `}
  `;
}

/** @param {any} props */
function Make({ family, can, onMade }) {
  const [role, setRole] = useState(/** @type {import("../types/api").Invite["role"]} */ (can.roles.length > 1 ? "caregiver" : "parent"));
  const [label, setLabel] = useState("");
  const [until, setUntil] = useState(/** @type {string | null} */ (null));
  const [email, setEmail] = useState("");
  const [errors, setErrors] = useState(/** @type {Record<string, string>} */ ({}));
  const [isBusy, problem, run] = useWork((error) => (byField(error).invitee_email ? "" : explain(error)));
  useInvalid(errors);
  const isMailed = useServer()?.mail === true;
  const limited = role !== "parent";
  const make = (/** @type {Event} */ event) => {
    event.preventDefault();
    const invitee = isMailed && email.trim();
    const terms = { role, ...(label.trim() && { label: label.trim() }), ...(invitee && { invitee_email: invitee }), ...(limited && until && { access_until: until }) };
    setErrors({});
    run(async () => {
      try {
        onMade(await createInvite(family.id, terms));
      } catch (error) {
        setErrors(byField(error));
        throw error;
      }
    });
  };
  return html`
    <${Head} title=${say("family.invite")} back="family" />
    <form onSubmit=${make} novalidate>
      <${Choice} label=${say("common.role")} kind="segments" options=${can.roles.map((/** @type {"parent"} */ one) => [one, roles[one]])} value=${role} onChange=${setRole} />
      <p class="hint">${roleMeanings[/** @type {"parent"} */ (role)]}</p>
      <${Field} label=${say("invite.who_for")} hint=${say("invite.who_for_hint")} value=${label} maxlength="50" autocomplete="off" onInput=${(/** @type {any} */ event) => setLabel(event.target.value)} />
      ${isMailed &&
      html`<${Field} label=${say("invite.their_email")} hint=${say("invite.their_email_hint")} type="email" inputmode="email" name="invitee_email"
        value=${email} error=${errors.invitee_email} autocomplete="off" onInput=${(/** @type {any} */ event) => setEmail(event.target.value)} />`}
      ${limited && html`<${Until} value=${until} onChange=${setUntil} />`}
      <${Problem} text=${problem} />
      <div class="actions"><button class="button primary" aria-disabled=${isBusy ? "true" : undefined}>${say("invite.create")}</button></div>
    </form>
  `;
}

/** @param {any} props */
function Open({ invite, family, onGone }) {
  const [isBusy, problem, run] = useWork(explain);
  const revoke = () => run(() => revokeInvite(family.id, invite.id).then(onGone, (error) => (error.status === 404 ? onGone() : Promise.reject(error))));
  return html`
    <div class="row-button">
      <${Icon} name="share" />
      <span>
        <strong>${roles[/** @type {"parent"} */ (invite.role)] ?? invite.role}${invite.label ? html` · <bdi>${invite.label}</bdi>` : ""}</strong>
        ${invite.invitee_email && html`<span class="soft">${sayNodes("invite.for", { email: invite.invitee_email })}</span>`}
        <span class="soft">${sayNodes("invite.by_until", { name: invite.created_by.name, time: momentText(invite.expires_at) })}</span>
        <${Problem} text=${problem} />
      </span>
      <${Button} kind="small" busy=${isBusy} onClick=${revoke}>${say("invite.revoke")}<//>
    </div>
  `;
}
