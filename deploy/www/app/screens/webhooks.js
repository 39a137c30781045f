// Addresses that are called when something is logged in a family: for its parents.

import { html, useEffect, useState } from "../vendor/preact.js";
import { webhooks } from "../sync/programs.js";
import { explain, kindName, listed } from "../parts/text.js";
import { momentText } from "../parts/format.js";
import { useStore, useWork } from "../parts/hooks.js";
import { Icon } from "../parts/icons.js";
import { may } from "../parts/may.js";
import { Secret } from "../parts/secret.js";
import { Button, Head, Problem } from "../parts/ui.js";
import { NewWebhook } from "./new-webhook.js";
import { OneWebhook } from "./webhook.js";

/** @typedef {import("../sync/programs.js").Webhook} Webhook */

/** @param {Webhook} hook "Off since …" */
export function stateText({ active, failed_at }) {
  if (active) return "On";
  return failed_at ? `Off since ${momentText(failed_at)}: nobody had taken a call for a day` : "Off";
}

/** @param {Webhook} hook "feed and diaper" */
export const kindsText = ({ kinds }) =>
  (kinds ? listed(kinds.map((kind) => kindName(kind).toLowerCase())) : "all that is logged");

/** @param {{rest: string}} props the id of one */
export function Webhooks({ rest }) {
  const store = useStore();
  const { family } = store;
  const [made, setMade] = useState(/** @type {import("../sync/programs.js").Issued<Webhook> | null} */ (null));
  const [known, setKnown] = useState(/** @type {Webhook[] | null} */ (null));
  const [, problem, run] = useWork(explain);
  const read = () => run(async () => setKnown(await webhooks(family.id)));
  const isParent = may(family, store.account.id).manage;
  useEffect(() => {
    if (isParent && !made) read();
  }, [made]);
  if (!isParent) {
    return html`<${Head} title="Webhooks" back="family" /><p class="soft">Parents can see and change these.</p>`;
  }
  if (made) {
    return html`<${Secret} title="Webhook added" back="family" secret=${made.secret} onDone=${() => setMade(null)}
      lost="With it a call is known to be from here. If it gets lost, remove this webhook and add it again.">
      <div><dt>Address</dt><dd class="address">${made.url}</dd></div>
      <div><dt>Called for</dt><dd>${kindsText(made)}</dd></div>
    <//>`;
  }
  const hook = known?.find(({ id }) => id === rest);
  if (hook) {
    const change = (/** @type {Webhook | null} */ next) =>
      setKnown((known ?? []).flatMap((one) => (one.id === hook.id ? next ?? [] : one)));
    return html`<${OneWebhook} key=${hook.id} family=${family} hook=${hook} onChange=${change} />`;
  }
  return html`
    <${Head} title="Webhooks" back="family" />
    <p class="soft">When something is logged, changed or deleted in ${family.name}, Baby Basics can call an address of yours:
      for programs that are to know at once. <a href="/api/docs">What a call says</a></p>
    <${Problem} text=${problem} />
    ${problem && !known && html`<div class="actions"><${Button} onClick=${read}>Try again<//></div>`}
    ${known && known.length > 0 && html`
      <ul class="card rows">
        ${known.map((one) => html`<li key=${one.id}><a class="row-button" href=${`#/webhooks/${one.id}`}>
          <${Icon} name="program" />
          <span><strong class="address">${one.url}</strong>
            <span class=${one.failed_at ? "bad" : "soft"}>${stateText(one)}</span>
            <span class="soft">Called for ${kindsText(one)}</span></span>
          <${Icon} name="next" />
        </a></li>`)}
      </ul>
    `}
    ${known && html`<${NewWebhook} family=${family} onMade=${setMade} />`}
  `;
}
