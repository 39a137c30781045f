// One line of the timeline.

import { html } from "../vendor/preact.js";
import { say } from "../words.js";
import { kindName, summary } from "../parts/text.js";
import { clockText, span } from "../parts/format.js";
import { isUnderWay } from "../store/kinds.js";
import { now } from "../store/clock.js";
import { Icon } from "../parts/icons.js";

/** @typedef {import("../store/types").Kept} Kept */

/**
 * @param {{entry: Kept, place: string, family: import("../store/types").StoredFamily, isWaiting: boolean,
 *   isBad: boolean}} props `place`: the address that the entry is opened over
 */
export function Entry({ entry, place, family, isWaiting, isBad }) {
  const { type, event, time } = entry;
  const { user_id: by, name } = event.created_by ?? {};
  const author = family.members.find((one) => one.user_id === by)?.name ?? name;
  const end = Date.parse(event.ended_at);
  const length = end > time ? span(end - time) : isUnderWay(entry, now()) ? say("timeline.still_going") : "";
  const about = [length, family.members.length > 1 && author].filter(Boolean);
  const icon = type === "feeding" && event.type !== "bottle" ? event.type : type;
  return html`
    <a class=${`entry ${type}`} href=${`#/${place}/${entry.id}`}>
      <${Icon} name=${icon} />
      <strong class="text">${summary(type, event) || kindName(type)}</strong>
      <span class="time">
        ${isWaiting && !isBad && html`<${Icon} name="waiting" /><span class="unseen">${say("timeline.waiting")}${say("common.separator")}</span>`}
        ${clockText(time)}
      </span>
      <span class="about">
        ${isBad && html`<b class="bad">${say("timeline.not_saved")}</b>`}
        ${event.for_doctor === true && html`<b>${say("more.doctor")}</b>`}
        ${about.map((part) => html`<span><bdi>${part}</bdi></span>`)}
      </span>
      ${event.notes && html`<span class="remark">${event.notes}</span>`}
    </a>
  `;
}
