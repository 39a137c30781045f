// What has to be said until it was read, what could not be saved, and what waits.

import { html, useState } from "../vendor/preact.js";
import { say } from "../words.js";
import { texts } from "../parts/text.js";
import { useStore } from "../parts/hooks.js";
import { Icon } from "../parts/icons.js";
import { dateOf } from "../model/days.js";
import { Button, Confirm } from "../parts/ui.js";
import { now } from "../store/clock.js";

export function Notices() {
  const store = useStore();
  const { notices, rejected } = store.snapshot;
  const [asked, ask] = useState(/** @type {number | null} */ (null));
  const dismiss = (/** @type {number} */ key) => (ask(null), store.dismiss(key));
  return html`
    <div class="notices" role="status">
      ${notices.map(
        (notice) => html`
          <div class="notice ${notice.kind}" key=${notice.key}>
            <p>${texts.notice(notice)}</p>
            ${notice.unsent?.length ? html`<${Button} onClick=${() => save(store.account, notice)}>${say("notices.save_as_file")}<//>` : ""}
            <button type="button" class="plain" aria-label=${say("common.dismiss")}
              onClick=${() => (notice.unsent?.length ? ask(notice.key) : dismiss(notice.key))}><${Icon} name="close" /></button>
          </div>
        `,
      )}
      ${rejected.length > 0 &&
      html`
        <a class="notice rejected" href="#/waiting">
          <p>${say("notices.not_saved", { count: rejected.length })} <b>${say("notices.see_why")}</b></p>
          <${Icon} name="next" />
        </a>
      `}
    </div>
    ${asked !== null &&
    html`<${Confirm} title=${say("notices.dismiss_asked")} action=${say("common.dismiss")} onConfirm=${() => dismiss(asked)} onClose=${() => ask(null)}
      text=${say("notices.nowhere_else")} />`}
  `;
}

/**
 * A file that “Import” reads: a parent can bring in what somebody logged whose access has ended.
 * @param {import("../store/account.js").Account} account @param {import("../store/types").Notice} notice
 */
async function save({ timezone }, { name = "", unsent = [] }) {
  const [{ exportJSON, fileName }, { download }] = await Promise.all([import("../transfer/export.js"), import("../transfer/download.js")]);
  const date = dateOf(now(), { timezone, dayStart: "00:00" });
  const children = unsent.map((one) => ({ ...one, name: one.name || say("notice.a_child") }));
  download(fileName(name, "not-sent", "json", date), exportJSON({ family: { name }, children, now: now(), isUnsent: true }), "application/json");
}

/** A quiet line; nothing waits for it. */
export function Waiting() {
  const store = useStore();
  const { waiting } = store.snapshot;
  const isOffline = store.status === "offline";
  if (!isOffline && (!waiting || store.status === "ok")) return html`<p class="quiet" role="status"></p>`;
  /** @type {Record<string, string>} */
  const reasons = { offline: say("notices.no_connection"), busy: say("notices.busy"), full: say("notices.full") };
  const parts = [waiting > 0 && texts.waiting(waiting), reasons[store.status]];
  return html`<p class="quiet" role="status"><${Icon} name="waiting" /><span>${parts.filter(Boolean).join(" · ")}</span></p>`;
}
