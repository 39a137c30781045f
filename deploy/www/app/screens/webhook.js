// One webhook: whether it is on, and what became of its last calls.

import { html, useEffect, useState } from "../vendor/preact.js";
import { say } from "../words.js";
import { changeWebhook, deliveries, removeWebhook, sendAgain } from "../sync/programs.js";
import { explain, kindName } from "../parts/text.js";
import { momentText } from "../parts/format.js";
import { go, useWork } from "../parts/hooks.js";
import { Button, Confirm, Head, Problem } from "../parts/ui.js";
import { calledFor, stateText } from "./webhooks.js";

/** @typedef {import("../sync/programs.js").Delivery} Delivery */

/** @typedef {import("../words.js").Id} Id */
/** @type {Record<string, Id>} */
const happened = { "event.created": "webhooks.logged", "event.updated": "webhooks.changed", "event.deleted": "webhooks.deleted" };
/** @param {Delivery} delivery "Feed logged"; a newer server may have others */
const whatHappened = ({ kind, type }) =>
  (Object.hasOwn(happened, type) ? say(happened[type], { kind: kindName(kind) }) : `${kindName(kind)} ${type}`);

/** @param {Delivery} delivery "Answered 200", "Given up after 3 tries: nobody answered" */
function answerText({ state, attempts: count, status, failure }) {
  if (state === "delivered") return status ? say("webhooks.taken_answered", { status }) : say("webhooks.taken");
  const isOver = state === "failed";
  if (!count && !isOver) return say("webhooks.waits");
  if (status) return say(isOver ? "webhooks.given_up_answered" : "webhooks.again_answered", { count, status });
  if (failure) return say(isOver ? "webhooks.given_up_failure" : "webhooks.again_failure", { count, failure });
  return say(isOver ? "webhooks.given_up" : "webhooks.again", { count });
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
    <${Head} title=${say("webhooks.one")} back="webhooks" />
    <p><strong class="address">${hook.url}</strong></p>
    <p class=${hook.failed_at ? "bad" : "soft"}>${stateText(hook)}</p>
    <p class="soft">${calledFor(hook)}</p>
    <${Problem} text=${isAsked ? "" : problem} />
    <div class="actions">
      <${Button} busy=${isBusy} onClick=${turn}>${hook.active ? say("webhooks.turn_off") : say("webhooks.turn_on")}<//>
      <${Button} kind="danger" onClick=${() => ask(true)}>${say("common.remove")}<//>
    </div>
    <h2>${say("webhooks.last_calls")}</h2>
    ${calls && !calls.length && html`<p class="soft">${say("webhooks.no_calls")}</p>`}
    ${calls && calls.length > 0 && html`
      <ul class="card rows">
        ${calls.map((one) => html`<li key=${one.id}><div class="row-button call">
          <span><strong>${whatHappened(one)}</strong>
            <span class="soft"><time datetime=${one.created_at}>${momentText(one.created_at)}</time></span>
            <span class=${one.state === "failed" ? "bad" : "soft"}>${isOnItsWay(one) ? say("webhooks.on_its_way") : answerText(one)}</span></span>
          ${hook.active && one.attempts > 0 && html`<${Button} kind="small" busy=${isBusy}
            aria-label=${say("webhooks.send_again_what", { kind: kindName(one.kind), when: momentText(one.created_at) })}
            onClick=${() => again(one)}>${say("webhooks.send_again")}<//>`}
        </div></li>`)}
      </ul>
    `}
    <div class="actions"><${Button} busy=${isBusy} onClick=${read}>${say("webhooks.look_again")}<//></div>
    ${isAsked && html`<${Confirm} title=${say("webhooks.remove_asked")} action=${say("common.remove")} busy=${isBusy} problem=${problem}
      onConfirm=${remove} onClose=${() => ask(false)} text=${say("webhooks.what_ends")} />`}
  `;
}
