// An invite that was made: its link, and the ways to send it.

import { html, useState } from "../vendor/preact.js";
import { say } from "../words.js";
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
  const message = say("invite_made.message", { family: family.name, link: invite.join_url });
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(invite.join_url);
      toast(say("invite_made.copied"));
    } catch {
      toast(say("invite_made.not_copied"));
    }
  };
  const share = () => navigator.share({ text: message }).catch(() => {});
  return html`
    <${Head} title=${say("invite_made.title")} back="family" />
    <div class="card link-card">
      <p class="link-text">${invite.join_url}</p>
      <dl>
        <div><dt>${say("common.role")}</dt><dd>${roles[/** @type {"parent"} */ (invite.role)] ?? invite.role}</dd></div>
        ${email && html`<div><dt>${say("invite_made.for")}</dt><dd><bdi>${email}</bdi></dd></div>`}
        <div><dt>${say("invite_made.expires")}</dt><dd>${dateText(invite.expires_at)}</dd></div>
        ${invite.access_until && html`<div><dt>${say("common.access_until")}</dt><dd>${dateText(invite.access_until)}</dd></div>`}
      </dl>
    </div>
    <p class="soft small">${say(email ? "invite_made.once_for_email" : "invite_made.once")}</p>
    ${canMail && html`<${Mail} invite=${invite} family=${family} onMade=${onMade} />`}
    <div class="actions">
      <${Button} kind=${canMail ? "" : "primary"} onClick=${copy}><${Icon} name="copy" />${say("common.copy")}<//>
      ${"share" in navigator
        ? html`<${Button} onClick=${share}><${Icon} name="share" />${say("invite_made.share")}<//>`
        : html`<a class="button" href=${`mailto:?subject=${encodeURIComponent(say("common.app"))}&body=${encodeURIComponent(message)}`}><${Icon} name="share" />${say("invite_made.share")}</a>`}
      <${Button} onClick=${() => go("family")}>${say("common.done")}<//>
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
      <${Button} kind=${isSent ? "" : "primary"} busy=${isBusy} onClick=${send}><${Icon} name="note" />${say(isSent ? "invite_made.send_again" : "invite_made.send")}<//>
    </div>
    <p role="status">${isSent && texts.mailOnItsWay(invitee_email)}</p>
    <${Problem} text=${problem} />
  `;
}
