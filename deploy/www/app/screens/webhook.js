// One webhook: whether it is on, and what became of its last calls.

import { html, useEffect, useState } from "../vendor/preact.js";
import { changeWebhook, deliveries, removeWebhook, sendAgain } from "../sync/programs.js";
import { explain, kindName } from "../parts/text.js";
import { momentText } from "../parts/format.js";
import { go, useWork } from "../parts/hooks.js";
import { Button, Confirm, Head, Problem } from "../parts/ui.js";
import { kindsText, stateText } from "./webhooks.js";

/** @typedef {import("../sync/programs.js").Delivery} Delivery */

/** @type {Record<string, string>} */
const happened = { "event.created": "logged", "event.updated": "changed", "event.deleted": "deleted" };

/** @param {Delivery} delivery "Taken: answered 200", "Given up after 3 tries: no answer" */
function answerText({ state, attempts, status, failure }) {
  const answer = status ? `answered ${status}` : failure ? `no answer (${failure})` : attempts ? "no answer" : "";
  if (state === "delivered") return status ? `Taken: answered ${status}` : "Taken";
  const tries = attempts === 1 ? "1 try" : `${attempts} tries`;
  if (state === "failed") return `Given up after ${tries}${answer && `: ${answer}`}`;
  if (attempts) return `Not taken yet, after ${tries}: ${answer}. It is tried again, for a day`;
  return "Waits for the ones before it";
}

/**
 * @param {{family: import("../store/types").StoredFamily, hook: import("../sync/programs.js").Webhook,
 *   onChange: (hook: import("../sync/programs.js").Webhook | null) => void}} props
 */
export function OneWebhook({ family, hook, onChange }) {
  const [calls, setCalls] = useState(/** @type {Delivery[] | null} */ (null));
  const [sent, setSent] = useState(/** @type {Delivery | null} */ (null));
  const [isAsked, ask] = useState(false);
  const [isBusy, problem, run] = useWork(explain);
  const read = () => run(async () => setCalls(await deliveries(family.id, hook.id)));
  useEffect(() => {
    read();
  }, []);
  // They come in order, and the newest is the first here.
  const next = calls?.filter(({ state }) => state === "waiting").at(-1);
  const isOnItsWay = (/** @type {Delivery} */ { id, state, attempts }) =>
    state === "waiting" && (sent?.id === id ? attempts <= sent.attempts : id === next?.id && attempts === 0);
  useEffect(() => {
    if (!calls?.some(isOnItsWay) || isBusy || problem) return;
    const timer = setTimeout(read, 3000);
    return () => clearTimeout(timer);
  }, [calls, isBusy]);
  const turn = () => run(async () => onChange(await changeWebhook(family.id, hook.id, { active: !hook.active })));
  const remove = () => run(() => removeWebhook(family.id, hook.id).then(() => (go("webhooks"), onChange(null))));
  const again = (/** @type {Delivery} */ { id }) =>
    run(async () => {
      const sent = await sendAgain(family.id, hook.id, id);
      setSent(sent);
      setCalls((calls ?? []).map((one) => (one.id === id ? sent : one)));
    });
  return html`
    <${Head} title="Webhook" back="webhooks" />
    <p><strong class="address">${hook.url}</strong></p>
    <p class=${hook.failed_at ? "bad" : "soft"}>${stateText(hook)}</p>
    <p class="soft">Called for ${kindsText(hook)}</p>
    <${Problem} text=${isAsked ? "" : problem} />
    <div class="actions">
      <${Button} busy=${isBusy} onClick=${turn}>${hook.active ? "Turn off" : "Turn on"}<//>
      <${Button} kind="danger" onClick=${() => ask(true)}>Remove<//>
    </div>
    <h2>Last calls</h2>
    ${calls && !calls.length && html`<p class="soft">None yet: it is called with the next thing that is logged.</p>`}
    ${calls && calls.length > 0 && html`
      <ul class="card rows">
        ${calls.map((one) => html`<li key=${one.id}><div class="row-button call">
          <span><strong>${kindName(one.kind)} ${happened[one.type] ?? one.type}</strong>
            <span class="soft"><time datetime=${one.created_at}>${momentText(one.created_at)}</time></span>
            <span class=${one.state === "failed" ? "bad" : "soft"}>${isOnItsWay(one) ? "On its way" : answerText(one)}</span></span>
          ${hook.active && one.attempts > 0 && html`<${Button} kind="small" busy=${isBusy}
            aria-label=${`Send again: ${kindName(one.kind)}, ${momentText(one.created_at)}`} onClick=${() => again(one)}>Send again<//>`}
        </div></li>`)}
      </ul>
    `}
    <div class="actions"><${Button} busy=${isBusy} onClick=${read}>Look again<//></div>
    ${isAsked && html`<${Confirm} title="Remove this webhook?" action="Remove" busy=${isBusy} problem=${problem}
      onConfirm=${remove} onClose=${() => ask(false)} text="It isn’t called any more, and its secret ends with it." />`}
  `;
}
