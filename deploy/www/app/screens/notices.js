// What has to be said until it was read, what could not be saved, and what waits.

import { html, useState } from "../vendor/preact.js";
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
            ${notice.unsent?.length ? html`<${Button} onClick=${() => save(store.account, notice)}>Save as a file<//>` : ""}
            <button type="button" class="plain" aria-label="Dismiss"
              onClick=${() => (notice.unsent?.length ? ask(notice.key) : dismiss(notice.key))}><${Icon} name="close" /></button>
          </div>
        `,
      )}
      ${rejected.length > 0 &&
      html`
        <a class="notice rejected" href="#/waiting">
          <p>${rejected.length === 1 ? "1 entry couldn’t be saved." : `${rejected.length} entries couldn’t be saved.`} <b>See why</b></p>
          <${Icon} name="next" />
        </a>
      `}
    </div>
    ${asked !== null &&
    html`<${Confirm} title="Dismiss it?" action="Dismiss" onConfirm=${() => dismiss(asked)} onClose=${() => ask(null)}
      text="Its entries are nowhere else. Save them as a file first if you want to keep them." />`}
  `;
}

/**
 * A file that “Import” reads: a parent can bring in what somebody logged whose access has ended.
 * @param {import("../store/account.js").Account} account @param {import("../store/types").Notice} notice
 */
async function save({ timezone }, { name = "", unsent = [] }) {
  const [{ exportJSON, fileName }, { download }] = await Promise.all([import("../transfer/export.js"), import("../transfer/download.js")]);
  const date = dateOf(now(), { timezone, dayStart: "00:00" });
  download(fileName(name, "not-sent", "json", date), exportJSON({ family: { name }, children: unsent, now: now(), isUnsent: true }), "application/json");
}

/** A quiet line; nothing waits for it. */
export function Waiting() {
  const store = useStore();
  const { waiting } = store.snapshot;
  const isOffline = store.status === "offline";
  if (!isOffline && (!waiting || store.status === "ok")) return html`<p class="quiet" role="status"></p>`;
  /** @type {Record<string, string>} */
  const reasons = { offline: "no connection", busy: "the server is busy", full: "this device’s storage is full" };
  const parts = [waiting > 0 && texts.waiting(waiting), reasons[store.status]];
  return html`<p class="quiet" role="status"><${Icon} name="waiting" /><span>${parts.filter(Boolean).join(" · ")}</span></p>`;
}
