// The bar at the bottom: where a thumb is.

import { html } from "../vendor/preact.js";
import { say } from "../words.js";
import { Icon } from "./icons.js";

const tabs = /** @type {const} */ (["today", "timeline", "trends", "family"]);
/**
 * Screens that are behind a tab.
 * @type {Record<string, string>}
 */
const behind = {
  cards: "today", deleted: "timeline", month: "timeline", doctor: "trends", growth: "trends", sheet: "trends", today: "today",
  timeline: "timeline", trends: "trends",
};

/** @param {{screen: string}} props */
export const Bar = ({ screen }) => html`
  <nav class="bar" aria-label=${say("bar.main")}>
    ${tabs.map(
      (tab) => html`
        <a href="#/${tab}" aria-current=${(behind[screen] ?? "family") === tab ? "page" : undefined}>
          <${Icon} name=${tab} /><span>${say(`bar.${tab}`)}</span>
        </a>
      `,
    )}
  </nav>
`;
