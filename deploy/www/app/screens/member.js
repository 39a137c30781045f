// A member: role, until when, and out.

import { html, useState } from "../vendor/preact.js";
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
    return html`<${Head} title="Not here" back="family" /><p class="soft">This person is no member any more, or you may not change who is.</p>`;
  }
  const change = (/** @type {any} */ changes) => {
    setPicked({ ...picked, ...changes }); // shown at once; what the server refuses goes back
    run(() => changeMember(store, family.id, person.user_id, changes).then(() => toast("Saved")).finally(() => setPicked({})));
  };
  const remove = () => run(() => removeMember(store, family.id, person.user_id).then(() => (setSheet(""), go("family"))));
  const give = () => run(() => transfer(store, family.id, person.user_id).then(() => (setSheet(""), go("family"))));
  return html`
    <${Head} title=${person.name} back="family" />
    <p class="soft">${person.email}</p>
    ${can.roles.length > 1 &&
    html`
      <${Choice} label="Role" options=${can.roles.map((role) => [role, roles[/** @type {"parent"} */ (role)]])} value=${picked.role ?? person.role} onChange=${(/** @type {string} */ role) => change({ role })} />
      <p class="hint">${roleMeanings[/** @type {"parent"} */ (picked.role ?? person.role)]}</p>
    `}
    ${person.role !== "parent" && html`<${Until} value=${picked.access_until !== undefined ? picked.access_until : person.access_until} onChange=${(/** @type {string | null} */ access_until) => change({ access_until })} />`}
    <${Problem} text=${sheet ? "" : problem} />
    <div class="actions">
      ${can.isOwner && person.role === "parent" && html`<${Button} onClick=${() => setSheet("transfer")}>Make owner<//>`}
      <${Button} kind="danger" onClick=${() => setSheet("remove")}>Remove<//>
    </div>
    ${sheet === "remove" &&
    html`<${Confirm} title=${`Remove ${person.name}?`} action="Remove" busy=${isBusy} problem=${problem} onConfirm=${remove} onClose=${() => setSheet("")}
      text="They won’t see this family any more. What they logged stays." />`}
    ${sheet === "transfer" &&
    html`<${Confirm} title=${`Make ${person.name} the owner?`} action="Make owner" busy=${isBusy} problem=${problem} onConfirm=${give} onClose=${() => setSheet("")}
      text="You stay a parent. Only the new owner can give it back." />`}
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
  return html`<${Field} label="Access until" hint="Empty: for good" type="date" min=${dateOf(Date.now())} max=${dateOf(year)} value=${value ? dateOf(value) : ""} onChange=${read} />`;
}
