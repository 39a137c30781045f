// An invite that was made: its link, and the ways to send it.

import { html, useState } from "../vendor/preact.js";
import { createInvite } from "../sync/family.js";
import { explain, roles, texts } from "../parts/text.js";
import { dateText } from "../parts/format.js";
import { go, useServer, useWork } from "../parts/hooks.js";
import { Icon } from "../parts/icons.js";
import { toast } from "../parts/toast.js";
import { Button, Head, Problem } from "../parts/ui.js";

/**
 * @param {{invite: import("../types/api").Invite, family: import("../store/types").StoredFamily,
 *   onMade: (invite: import("../types/api").Invite) => void}} props
 */
export function Made({ invite, family, onMade }) {
  const { invitee_email: email } = invite;
  const canMail = useServer()?.mail === true && email !== null;
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
        ${email && html`<div><dt>For</dt><dd><bdi>${email}</bdi></dd></div>`}
        <div><dt>Expires</dt><dd>${dateText(invite.expires_at)}</dd></div>
        ${invite.access_until && html`<div><dt>Access until</dt><dd>${dateText(invite.access_until)}</dd></div>`}
      </dl>
    </div>
    <p class="soft small">${email ? "It works once, and for an account with that email alone." : "It works once. Send it to one person only."}</p>
    ${canMail && html`<${Mail} invite=${invite} family=${family} onMade=${onMade} />`}
    <div class="actions">
      <${Button} kind=${canMail ? "" : "primary"} onClick=${copy}><${Icon} name="copy" />Copy<//>
      ${"share" in navigator
        ? html`<${Button} onClick=${share}><${Icon} name="share" />Share…<//>`
        : html`<a class="button" href=${`mailto:?subject=${encodeURIComponent("Baby Basics")}&body=${encodeURIComponent(message)}`}><${Icon} name="share" />Share…</a>`}
      <${Button} onClick=${() => go("family")}>Done<//>
    </div>
  `;
}

/**
 * The same invite once more, which is answered with the one that there is, and mailed.
 * @param {any} props
 */
function Mail({ invite, family, onMade }) {
  const [isSent, setSent] = useState(false);
  const [isBusy, problem, run] = useWork((error) => (error.status === 429 ? texts.mailedEnough(error.retryAfter) : explain(error)));
  const { role, invitee_email, label, access_until } = invite;
  const send = () =>
    run(async () => {
      onMade(await createInvite(family.id, { role, invitee_email, ...(label && { label }), ...(access_until && { access_until }), send: true }));
      setSent(true);
    });
  return html`
    <div class="actions">
      <${Button} kind=${isSent ? "" : "primary"} busy=${isBusy} onClick=${send}><${Icon} name="note" />${isSent ? "Send it again" : "Send it by mail"}<//>
    </div>
    <p role="status">${isSent && texts.mailOnItsWay(invitee_email)}</p>
    <${Problem} text=${problem} />
  `;
}
