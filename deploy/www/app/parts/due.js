// Reminders that are due, while the app is open: with or without notifications.

import { html } from "../vendor/preact.js";
import { say, sayIf } from "../words.js";
import { countsFrom, dueAt } from "../model/reminders.js";
import { now } from "../store/clock.js";
import { isUnderWay } from "../store/kinds.js";
import { reminders, seenReminders, seeReminder } from "../store/reminders.js";
import { span } from "./format.js";
import { useQuery, useStore } from "./hooks.js";
import { Icon } from "./icons.js";

/** @typedef {import("../store/types").StoredChild} StoredChild */

/**
 * @param {string} on @param {string} passed @param {string} whose a child's name, where there are several
 */
function said(on, passed, whose) {
  const values = { length: passed, child: whose, on };
  return sayIf(whose ? "due.since_of" : "due.since", on, values) ?? say(whose ? "due.other_of" : "due.other", values);
}

/** @param {import("../store/store.js").Store} store @param {StoredChild[]} children */
async function dueOf(store, children) {
  const [all, seen] = await Promise.all([reminders(store), seenReminders(store)]);
  const found = [];
  for (const child of children) {
    const own = all.filter((one) => one.child_id === child.id && one.on);
    if (!own.length) continue;
    const { last, open } = await store.latest(child.id, own.map(({ on }) => String(on)), [], 0);
    for (const reminder of own) {
      const event = last[String(reminder.on)];
      if (!event || seen[reminder.id] === event.id) continue;
      if (reminder.on === "sleep" && open.some((one) => one.type === "sleep" && isUnderWay(one, now()))) continue;
      const [at, from] = [dueAt(reminder, event), countsFrom(reminder, event)];
      if (at !== null && from !== null) found.push({ child, reminder, event, at, from });
    }
  }
  return found.sort((one, other) => one.at - other.at);
}

/** @param {{children: StoredChild[], canLog: boolean, onLog: (what: any) => void}} props */
export function Due({ children, canLog, onLog }) {
  const store = useStore();
  const found = useQuery(() => dueOf(store, children), [children.map(({ id }) => id).join()]);
  const due = (found ?? []).filter(({ at }) => at <= now());
  const whose = (/** @type {StoredChild} */ child) => (children.length > 1 ? child.name : "");
  // Read out once: the clock that is shown goes on.
  const aloud = due.map(({ child, reminder: { on, after_minutes } }) =>
    said(String(on), span((after_minutes ?? 0) * 60_000), whose(child)));
  return html`
    <p class="unseen" role="status">${aloud.join(". ")}</p>
    <div class="notices">
      ${due.map(({ child, reminder, event, from }) => {
        const on = String(reminder.on);
        return html`
          <div class="notice due" key=${reminder.id}>
            <p>${said(on, span(now() - from), whose(child))}</p>
            ${canLog && html`<button type="button" class="button small" onClick=${() => onLog({ type: on, child })}>${say("due.log")}</button>`}
            <button type="button" class="plain" aria-label=${say("common.dismiss")} onClick=${() => seeReminder(store, reminder.id, event.id)}>
              <${Icon} name="close" />
            </button>
          </div>
        `;
      })}
    </div>
  `;
}
