// One line of a family's history: who, what, and the old and new values.

import { html } from "../vendor/preact.js";
import { roles, valueText } from "./text.js";
import { momentText, plainDate } from "./format.js";

/** @typedef {import("../store/types").StoredFamily} Family */

const things = /** @type {Record<string, string>} */ ({
  feeding: "a feed", diaper: "a diaper", sleep: "a sleep", note: "a note", pumping: "a pumping", measurement: "a measurement",
  temperature: "a temperature", medication: "a medicine", activity: "an activity", discard: "milk thrown away",
  plan: "a medicine plan", family: "the family", family_member: "a member",
  child: "a child", share_link: "an invite", token: "a program", webhook: "a webhook",
});
const verbs = /** @type {Record<string, string>} */ ({ create: "added", update: "changed", delete: "removed" });
const special = /** @type {Record<string, string>} */ ({
  "family_member create": "joined", "family_member delete": "took out a member", "share_link create": "made an invite",
  "share_link update": "accepted an invite", "share_link delete": "revoked an invite", "family create": "made the family",
  "token create": "let a program in", "token delete": "ended a program",
});
const shown = /** @type {Record<string, string>} */ ({
  started_at: "Start", ended_at: "End", occurred_at: "Time", amount_ml: "Amount", notes: "Remark", date_of_birth: "Date of birth",
  owner_id: "Owner", access_until: "Access until", weight_g: "Weight", length_cm: "Length", head_cm: "Head", celsius: "Temperature",
  every_hours: "Hours between doses", max_per_day: "Most a day", starts_on: "First day", ends_on: "Last day", plan_id: "Plan",
  left_minutes: "At the left", right_minutes: "At the right", for_doctor: "For the doctor",
});
/** @param {string} field */
const label = (field) => shown[field] ?? `${field.charAt(0).toUpperCase()}${field.slice(1).replaceAll("_", " ")}`;

/**
 * A member or child of the family.
 * @param {Family} family @param {string} id
 */
const named = ({ members, children }, id) => (members.find((one) => one.user_id === id) ?? children.find((one) => one.id === id))?.name;

/** @param {string} field @param {any} value @param {any} beside @param {Family} family */
function text(field, value, beside, family) {
  if (value === null || value === undefined) return "nothing";
  if (field === "role") return roles[/** @type {"parent"} */ (value)] ?? String(value);
  if (field === "date_of_birth") return plainDate(value);
  if (field !== "plan_id" && /^[0-9a-f]{8}-/.test(String(value))) return named(family, value) ?? "someone";
  return typeof value === "object" && !Array.isArray(value) ? JSON.stringify(value) : valueText(field, value, beside);
}

/** @param {{entry: import("../types/api").AuditEntry, family: Family}} props */
export function Changed({ entry, family }) {
  const about = named(family, entry.entity_id);
  const what = special[`${entry.entity_type} ${entry.action}`] ?? `${verbs[entry.action] ?? entry.action} ${about ?? things[entry.entity_type] ?? entry.entity_type}`;
  const changes = /** @type {[string, any][]} */ (Object.entries(entry.changes ?? {})).filter(([, change]) => change && typeof change === "object" && ("old" in change || "new" in change));
  return html`
    <p><strong><bdi>${entry.user?.name ?? "The server"}</bdi></strong>${entry.token && html` by <bdi>${entry.token}</bdi>`} ${what}</p>
    <p class="soft small"><time datetime=${entry.created_at}>${momentText(entry.created_at)}</time></p>
    ${changes.length > 0 &&
    html`
      <dl class="diff">
        ${changes.map(
          ([field, change]) => html`
            <div key=${field}>
              <dt>${label(field)}</dt>
              <dd>
                ${change.old !== null && change.old !== undefined && html`<del>${text(field, change.old, change.new ?? entry.created_at, family)}</del> `}
                <ins>${text(field, change.new, change.old ?? entry.created_at, family)}</ins>
              </dd>
            </div>
          `,
        )}
      </dl>
    `}
  `;
}
