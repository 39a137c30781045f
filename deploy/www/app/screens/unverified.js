// An address that nobody has shown to be theirs: where the server sends mail, it sends the link again.

import { html, useState } from "../vendor/preact.js";
import { say } from "../words.js";
import { post } from "../sync/api.js";
import { readAccount } from "../sync/account.js";
import { readServer } from "../sync/server.js";
import { explain, sentences, texts } from "../parts/text.js";
import { useServer, useStore, useWork } from "../parts/hooks.js";
import { Icon } from "../parts/icons.js";
import { toast } from "../parts/toast.js";
import { Problem } from "../parts/ui.js";

/** A row, or nothing where there is nothing to do. */
export function Unverified() {
  const store = useStore();
  const server = useServer();
  const [sentTo, setSentTo] = useState("");
  const [isBusy, problem, run] = useWork((error) => (error.status === 429 ? texts.mailedEnough(error.retryAfter) : explain(error)));
  const { email, email_verified: isVerified } = store.account;
  if (!server?.mail || isVerified !== false) return null;
  const send = () =>
    run(async () => {
      setSentTo("");
      try {
        await post("/auth/send-verification", {});
        setSentTo(email);
      } catch (/** @type {any} */ error) {
        if (error.status !== 409) throw error;
        // Confirmed in the meantime, or the server has stopped sending mail: then this row is gone.
        await Promise.all([readServer(), readAccount(store)]);
        if (!store.account.email_verified) throw error;
        toast(say("unverified.confirmed"));
      }
    });
  return html`
    <li>
      <button type="button" class="row-button" aria-disabled=${isBusy ? "true" : undefined} onClick=${send}>
        <${Icon} name="waiting" />
        <span><strong>${say("unverified.send_again")}</strong>
          <span class="soft">${say("unverified.why")}</span></span>
      </button>
      <div class="row-words" role="status">${sentTo === email && html`<p>${sentences(texts.mailOnItsWay(email), say("unverified.a_day"))}</p>`}</div>
      <div class="row-words"><${Problem} text=${problem} /></div>
    </li>
  `;
}
