// Addresses that are called when something is logged in a family: for its parents.

import { html, useEffect, useState } from "../vendor/preact.js";
import { listed, say, sayIf, sayNodes } from "../words.js";
import { webhooks } from "../sync/programs.js";
import { explain, kindName } from "../parts/text.js";
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
  if (active) return say("webhooks.is_on");
  return failed_at ? say("webhooks.off_since", { when: momentText(failed_at) }) : say("webhooks.is_off");
}

/** @param {readonly string[]} kinds "feed and diaper" */
const named = (kinds) => listed(kinds.map((kind) => sayIf("phrase.kind", kind) ?? kindName(kind)));
/** @param {Webhook} hook */
export const calledFor = ({ kinds }) =>
  (kinds ? say("webhooks.called_for", { kinds: named(kinds) }) : say("webhooks.called_for_all"));

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
    return html`<${Head} title=${say("family.webhooks")} back="family" /><p class="soft">${say("webhooks.for_parents")}</p>`;
  }
  if (made) {
    return html`<${Secret} title=${say("webhooks.added")} back="family" secret=${made.secret} onDone=${() => setMade(null)}
      lost=${say("webhooks.if_lost")}>
      <div><dt>${say("webhooks.address")}</dt><dd class="address">${made.url}</dd></div>
      <div><dt>${say("webhooks.called_for_label")}</dt><dd>${made.kinds ? named(made.kinds) : say("webhooks.all_logged")}</dd></div>
    <//>`;
  }
  const hook = known?.find(({ id }) => id === rest);
  if (hook) {
    const change = (/** @type {Webhook | null} */ next) =>
      setKnown((known ?? []).flatMap((one) => (one.id === hook.id ? next ?? [] : one)));
    return html`<${OneWebhook} key=${hook.id} family=${family} hook=${hook} onChange=${change} />`;
  }
  return html`
    <${Head} title=${say("family.webhooks")} back="family" />
    <p class="soft">${sayNodes("webhooks.what_for", { family: family.name })} <a href="/api/docs">${say("webhooks.what_a_call_says")}</a></p>
    <${Problem} text=${problem} />
    ${problem && !known && html`<div class="actions"><${Button} onClick=${read}>${say("common.try_again")}<//></div>`}
    ${known && known.length > 0 && html`
      <ul class="card rows">
        ${known.map((one) => html`<li key=${one.id}><a class="row-button" href=${`#/webhooks/${one.id}`}>
          <${Icon} name="program" />
          <span><strong class="address">${one.url}</strong>
            <span class=${one.failed_at ? "bad" : "soft"}>${stateText(one)}</span>
            <span class="soft">${calledFor(one)}</span></span>
          <${Icon} name="next" />
        </a></li>`)}
      </ul>
    `}
    ${known && html`<${NewWebhook} family=${family} onMade=${setMade} />`}
  `;
}
