// A member: role, until when, and out.

import { html, useState } from "../vendor/preact.js";
import { say } from "../words.js";
import { changeMember, removeMember, transfer } from "../sync/family.js";
import { explain, roleMeanings, roles } from "../parts/text.js";
import { dateOf, fromInput } from "../parts/format.js";
import { go, useStore, useWork } from "../parts/hooks.js";
import { may } from "../parts/may.js";
import { toast } from "../parts/toast.js";
import { Button, Choice, Confirm, Field, Head, Problem } from "../parts/ui.js";

/** @param {{rest: string}} props */
export function Member({ rest }) {
  const store = useStore();
  const { family } = store;
  const person = family.members.find((one) => one.user_id === rest);
  const can = may(family, store.account.id);
  const [sheet, setSheet] = useState("");
  const [picked, setPicked] = useState(/** @type {any} */ ({}));
  const [isBusy, problem, run] = useWork(explain);
  if (!person || !can.changeMember(person)) {
    return html`<${Head} title=${say("member.not_here")} back="family" /><p class="soft">${say("member.no_member")}</p>`;
  }
  const change = (/** @type {any} */ changes) => {
    setPicked({ ...picked, ...changes }); // shown at once; what the server refuses goes back
    run(() => changeMember(store, family.id, person.user_id, changes).then(() => toast(say("common.saved"))).finally(() => setPicked({})));
  };
  const remove = () => run(() => removeMember(store, family.id, person.user_id).then(() => (setSheet(""), go("family"))));
  const give = () => run(() => transfer(store, family.id, person.user_id).then(() => (setSheet(""), go("family"))));
  return html`
    <${Head} title=${person.name} back="family" />
    <p class="soft">${person.email}</p>
    ${can.roles.length > 1 &&
    html`
      <${Choice} label=${say("common.role")} options=${can.roles.map((role) => [role, roles[/** @type {"parent"} */ (role)]])} value=${picked.role ?? person.role} onChange=${(/** @type {string} */ role) => change({ role })} />
      <p class="hint">${roleMeanings[/** @type {"parent"} */ (picked.role ?? person.role)]}</p>
    `}
    ${person.role !== "parent" && html`<${Until} value=${picked.access_until !== undefined ? picked.access_until : person.access_until} onChange=${(/** @type {string | null} */ access_until) => change({ access_until })} />`}
    <${Problem} text=${sheet ? "" : problem} />
    <div class="actions">
      ${can.isOwner && person.role === "parent" && html`<${Button} onClick=${() => setSheet("transfer")}>${say("member.make_owner")}<//>`}
      <${Button} kind="danger" onClick=${() => setSheet("remove")}>${say("common.remove")}<//>
    </div>
    ${sheet === "remove" &&
    html`<${Confirm} title=${say("member.remove_asked", { name: person.name })} action=${say("common.remove")} busy=${isBusy} problem=${problem} onConfirm=${remove} onClose=${() => setSheet("")}
      text=${say("member.remove_what")} />`}
    ${sheet === "transfer" &&
    html`<${Confirm} title=${say("member.owner_asked", { name: person.name })} action=${say("member.make_owner")} busy=${isBusy} problem=${problem} onConfirm=${give} onClose=${() => setSheet("")}
      text=${say("member.owner_what")} />`}
  `;
}

/**
 * The last day of someone's access; it ends with that day.
 * @param {{value: string | null, onChange: (until: string | null) => void}} props
 */
export function Until({ value, onChange }) {
  const year = Date.now() + 365 * 86_400_000;
  const read = (/** @type {any} */ event) => {
    const date = event.target.value;
    onChange(date ? new Date(fromInput(`${date}T23:59`)).toISOString() : null);
  };
  return html`<${Field} label=${say("common.access_until")} hint=${say("member.empty_for_good")} type="date" min=${dateOf(Date.now())} max=${dateOf(year)} value=${value ? dateOf(value) : ""} onChange=${read} />`;
}
