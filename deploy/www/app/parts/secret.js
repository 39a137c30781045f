// What another program needs to know, and nobody can look up again.

import { html } from "../vendor/preact.js";
import { Icon } from "./icons.js";
import { toast } from "./toast.js";
import { Button, Head } from "./ui.js";

/** @param {{title: string, back: string, secret: string, lost: string, onDone: () => void, children?: any}} props */
export function Secret({ title, back, secret, lost, onDone, children }) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(secret);
      toast("Copied");
    } catch {
      toast("Couldn’t copy. Press and hold it to copy it.");
    }
  };
  return html`
    <${Head} title=${title} back=${back} />
    <div class="card link-card">
      <p class="link-text">${secret}</p>
      <dl>${children}</dl>
    </div>
    <p><strong>It is shown this once only.</strong> Copy it into the program now. ${lost}</p>
    <div class="actions">
      <${Button} kind="primary" onClick=${copy}><${Icon} name="copy" />Copy<//>
      <${Button} onClick=${onDone}>Done<//>
    </div>
  `;
}
