// An invite: who for, then the link to send. Below, those that are still open.

import { html, useEffect, useState } from "../vendor/preact.js";
import { createInvite, openInvites, revokeInvite } from "../sync/family.js";
import { explain, roleMeanings, roles } from "../parts/text.js";
import { dateText, momentText } from "../parts/format.js";
import { go, useStore, useWork } from "../parts/hooks.js";
import { Icon } from "../parts/icons.js";
import { may } from "../parts/may.js";
import { toast } from "../parts/toast.js";
import { Button, Choice, Field, Head, Problem } from "../parts/ui.js";
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
  if (!can.invite && !can.delete) return html`<${Head} title="Invite" back="family" /><p class="soft">You can’t invite in this family.</p>`;
  return html`
    ${made ? html`<${Made} invite=${made} family=${family} />` : html`<${Make} family=${family} can=${can} onMade=${setMade} />`}
    ${(open.length > 0 || problem) && html`<h2>Open invites</h2>`}
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
  const [isBusy, problem, run] = useWork(explain);
  const limited = role !== "parent";
  const make = (/** @type {Event} */ event) => {
    event.preventDefault();
    run(async () => onMade(await createInvite(family.id, { role, ...(label.trim() && { label: label.trim() }), ...(limited && until && { access_until: until }) })));
  };
  return html`
    <${Head} title="Invite Family Member" back="family" />
    <form onSubmit=${make} novalidate>
      <${Choice} label="Role" kind="segments" options=${can.roles.map((/** @type {"parent"} */ one) => [one, roles[one]])} value=${role} onChange=${setRole} />
      <p class="hint">${roleMeanings[/** @type {"parent"} */ (role)]}</p>
      <${Field} label="Who it’s for" hint="Only you and other parents see this. Each name gets a link of its own." value=${label} maxlength="50" autocomplete="off" onInput=${(/** @type {any} */ event) => setLabel(event.target.value)} />
      ${limited && html`<${Until} value=${until} onChange=${setUntil} />`}
      <${Problem} text=${problem} />
      <div class="actions"><button class="button primary" aria-disabled=${isBusy ? "true" : undefined}>Create Invite Link</button></div>
    </form>
  `;
}

/** @param {any} props */
function Made({ invite, family }) {
  const message = `Join ${family.name} on Baby Basics! ${invite.join_url}`;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(invite.join_url);
      toast("Link copied");
    } catch {
      toast("Couldn’t copy. Press and hold the link to copy it.");
    }
  };
  const share = () => navigator.share({ text: message }).catch(() => {});
  return html`
    <${Head} title="Invite Created" back="family" />
    <div class="card link-card">
      <p class="link-text">${invite.join_url}</p>
      <dl>
        <div><dt>Role</dt><dd>${roles[/** @type {"parent"} */ (invite.role)] ?? invite.role}</dd></div>
        <div><dt>Expires</dt><dd>${dateText(invite.expires_at)}</dd></div>
        ${invite.access_until && html`<div><dt>Access until</dt><dd>${dateText(invite.access_until)}</dd></div>`}
      </dl>
    </div>
    <p class="soft small">It works once. Send it to one person only.</p>
    <div class="actions">
      <${Button} kind="primary" onClick=${copy}><${Icon} name="copy" />Copy<//>
      ${"share" in navigator
        ? html`<${Button} onClick=${share}><${Icon} name="share" />Share…<//>`
        : html`<a class="button" href=${`mailto:?subject=${encodeURIComponent("Baby Basics")}&body=${encodeURIComponent(message)}`}><${Icon} name="share" />Share…</a>`}
      <${Button} onClick=${() => go("family")}>Done<//>
    </div>
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
        <span class="soft">by <bdi>${invite.created_by.name}</bdi>, until ${momentText(invite.expires_at)}</span>
        <${Problem} text=${problem} />
      </span>
      <${Button} kind="small" busy=${isBusy} onClick=${revoke}>Revoke<//>
    </div>
  `;
}
