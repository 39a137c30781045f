// One line of a family's history: who, what, and the old and new values.

import { html } from "../vendor/preact.js";
import { isId, say, sayIf, sayNodes } from "../words.js";
import { join, kindName, roles, valueText } from "./text.js";
import { momentText, plainDate } from "./format.js";

/** @typedef {import("../store/types").StoredFamily} Family */

/** @type {Record<string, "changes.added" | "changes.changed" | "changes.removed">} */
const verbs = { create: "changes.added", update: "changes.changed", delete: "changes.removed" };

/** @param {string} field */
const label = (field) => sayIf("diff", field) ?? `${field.charAt(0).toUpperCase()}${field.slice(1).replaceAll("_", " ")}`;

/**
 * A member or child of the family.
 * @param {Family} family @param {string} id
 */
const named = ({ members, children }, id) => (members.find((one) => one.user_id === id) ?? children.find((one) => one.id === id))?.name;

/** @param {string} field @param {any} value @param {any} beside @param {Family} family */
function text(field, value, beside, family) {
  if (value === null || value === undefined) return say("value.nothing");
  if (field === "role") return roles[/** @type {"parent"} */ (value)] ?? String(value);
  if (field === "date_of_birth") return plainDate(value);
  if (field !== "plan_id" && /^[0-9a-f]{8}-/.test(String(value))) return named(family, value) ?? say("value.someone");
  if (field === "kinds" && Array.isArray(value)) return join(...value.map(kindName));
  if (typeof value === "object" && !Array.isArray(value)) return JSON.stringify(value);
  return sayIf(`diff_value.${field}`, String(value)) ?? valueText(field, value, beside);
}

/**
 * Who did what: "Rosa changed a feed".
 * @param {import("../types/api").AuditEntry} entry @param {string | undefined} about the name of what it was done to
 */
function told({ entity_type: entity, action, user, token }, about) {
  const name = html`<strong><bdi>${user?.name ?? say("changes.the_server")}</bdi></strong>`;
  const who = token ? sayNodes("changes.by_program", { who: name, program: token }) : name;
  const special = `changes.special.${entity}_${action}`;
  if (isId(special)) return sayNodes(special, { who });
  const thing = about ?? sayIf("changes.thing", entity) ?? entity;
  return sayNodes(verbs[action] ?? "changes.other", { who, action, thing });
}

/** @param {{entry: import("../types/api").AuditEntry, family: Family}} props */
export function Changed({ entry, family }) {
  const about = named(family, entry.entity_id);
  const changes = /** @type {[string, any][]} */ (Object.entries(entry.changes ?? {})).filter(([, change]) => change && typeof change === "object" && ("old" in change || "new" in change));
  return html`
    <p>${told(entry, about)}</p>
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
