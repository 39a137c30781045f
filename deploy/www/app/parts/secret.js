// What another program needs to know, and nobody can look up again.

import { html } from "../vendor/preact.js";
import { say } from "../words.js";
import { Icon } from "./icons.js";
import { sentences } from "./text.js";
import { toast } from "./toast.js";
import { Button, Head } from "./ui.js";

/** @param {{title: string, back: string, secret: string, lost: string, onDone: () => void, children?: any}} props */
export function Secret({ title, back, secret, lost, onDone, children }) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(secret);
      toast(say("secret.copied"));
    } catch {
      toast(say("secret.not_copied"));
    }
  };
  return html`
    <${Head} title=${title} back=${back} />
    <div class="card link-card">
      <p class="link-text">${secret}</p>
      <dl>${children}</dl>
    </div>
    <p><strong>${say("secret.once")}</strong> ${sentences(say("secret.copy_now"), lost)}</p>
    <div class="actions">
      <${Button} kind="primary" onClick=${copy}><${Icon} name="copy" />${say("common.copy")}<//>
      <${Button} onClick=${onDone}>${say("common.done")}<//>
    </div>
  `;
}
