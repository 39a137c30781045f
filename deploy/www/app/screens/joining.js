// While it isn't known yet which families there are, or an invitation waits for an answer.

import { html } from "../vendor/preact.js";
import { pendingInvite, setPendingInvite } from "../store/account.js";
import { useStore } from "../parts/hooks.js";
import { Button, Head } from "../parts/ui.js";

export function Joining() {
  const store = useStore();
  const isInvited = pendingInvite() !== null;
  const isStuck = store.status !== "ok";
  return html`
    <main class="doors">
      <p class="brand"><img src="/assets/moon.svg" alt="" width="44" height="44" />Baby Basics</p>
      <${Head} title=${isInvited ? "Joining your family…" : "Getting your family…"} />
      ${isInvited && html`<p class="banner">You’ve been invited to a family!</p>`}
      <p class="soft" role="status">
        ${isStuck ? "We can’t reach Baby Basics right now. It goes on by itself as soon as we can." : "This takes a moment."}
      </p>
      ${isInvited && isStuck &&
      html`<div class="actions"><${Button} onClick=${() => (setPendingInvite(null), store.dispatchEvent(new Event("change")))}>Go on without the invite<//></div>`}
    </main>
  `;
}
