// While it isn't known yet which families there are, or an invitation waits for an answer.

import { html } from "../vendor/preact.js";
import { say } from "../words.js";
import { pendingInvite, setPendingInvite } from "../store/account.js";
import { useStore } from "../parts/hooks.js";
import { Button, Head } from "../parts/ui.js";

export function Joining() {
  const store = useStore();
  const isInvited = pendingInvite() !== null;
  const isStuck = store.status !== "ok";
  return html`
    <main class="doors">
      <p class="brand"><img src="/assets/moon.svg" alt="" width="44" height="44" />${say("common.app")}</p>
      <${Head} title=${say(isInvited ? "joining.joining" : "joining.getting")} />
      ${isInvited && html`<p class="banner">${say("doors.invited")}</p>`}
      <p class="soft" role="status">
        ${say(isStuck ? "joining.stuck" : "joining.moment")}
      </p>
      ${isInvited && isStuck &&
      html`<div class="actions"><${Button} onClick=${() => (setPendingInvite(null), store.dispatchEvent(new Event("change")))}>${say("joining.without")}<//></div>`}
    </main>
  `;
}
