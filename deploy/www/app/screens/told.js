// What this person is told of: here or not, by family and kind, when never, and in which words. Shown where the server
// sends notifications.

import { html } from "../vendor/preact.js";
import { keepAccount } from "../sync/account.js";
import { call, get, patch } from "../sync/api.js";
import { explain, kindNames } from "../parts/text.js";
import { useServer, useSetting, useStore } from "../parts/hooks.js";
import { Field, Head, Problem } from "../parts/ui.js";
import { ToldHere } from "./told-here.js";

/** @typedef {{kinds: string[], members: boolean, access_ends: boolean}} Settings */

export function Told() {
  const store = useStore();
  const { families } = store.snapshot;
  const key = useServer()?.push_key;
  return html`
    <${Head} title="Notifications" back="account" />
    ${!key
      ? html`<p class="soft">This server sends no notifications. What is due shows on Today while Baby Basics is open.</p>`
      : html`
          <${ToldHere} store=${store} />
          ${families.map((family) => html`<${OfFamily} key=${family.id} family=${family} isOne=${families.length === 1} />`)}
          <${Person} store=${store} />
        `}
  `;
}

/** @param {{family: import("../store/types").StoredFamily, isOne: boolean}} props */
function OfFamily({ family, isOne }) {
  const path = `/families/${family.id}/notifications`;
  const [settings, problem, set] = useSetting(
    async () => /** @type {Settings} */ ((await get(path)).notifications),
    async (change, known) => (await call("PUT", path, { body: { ...known, ...change } })).body.notifications,
    explain,
  );
  const kinds = settings?.kinds ?? [];
  return html`
    <h2>${isOne ? "When others" : `${family.name}: when others`} log</h2>
    <${Problem} text=${problem} />
    ${settings &&
    html`
      <div class="checks">
        ${Object.entries(kindNames).map(([kind, name]) => html`
          <${Check} key=${kind} label=${name} isOn=${kinds.includes(kind)}
            onChange=${(/** @type {boolean} */ isOn) => set({ kinds: [...kinds.filter((one) => one !== kind), ...(isOn ? [kind] : [])] })} />
        `)}
      </div>
      <h3>And when</h3>
      <${Check} label="somebody joins or leaves" isOn=${settings.members} onChange=${(/** @type {boolean} */ members) => set({ members })} />
      <${Check} label="somebody’s access ends" isOn=${settings.access_ends} onChange=${(/** @type {boolean} */ access_ends) => set({ access_ends })} />
    `}
  `;
}

/** @param {{label: string, isOn: boolean, onChange: (isOn: boolean) => void}} props */
const Check = ({ label, isOn, onChange }) => html`
  <label class="check"><input type="checkbox" checked=${isOn} onChange=${(/** @type {any} */ event) => onChange(event.target.checked)} /><span>${label}</span></label>
`;

/**
 * What holds for all of this person's devices.
 * @param {{store: import("../store/store.js").Store}} props
 */
function Person({ store }) {
  const keep = async (/** @type {Partial<import("../types/api").User>} */ change) => {
    const { user } = (await patch("/users/me", change)).body;
    await keepAccount(store, user);
    return user;
  };
  const [user, problem, set] = useSetting(async () => /** @type {any} */ ((await get("/users/me")).user), keep, explain);
  const { quiet, show_details } = user ?? {};
  const time = (/** @type {"from" | "to"} */ end) => (/** @type {any} */ event) => event.target.value && set({ quiet: { from: "22:00", to: "06:00", ...quiet, [end]: event.target.value } });
  return html`
    <h2>Quiet hours</h2>
    <${Problem} text=${problem} />
    ${user &&
    html`
      <${Check} label="Tell me nothing during the night" isOn=${Boolean(quiet)} onChange=${(/** @type {boolean} */ isOn) => set({ quiet: isOn ? { from: "22:00", to: "06:00" } : null })} />
      ${quiet && html`<div class="pair">
        <${Field} label="From" type="time" value=${quiet.from} onChange=${time("from")} />
        <${Field} label="Until" type="time" value=${quiet.to} onChange=${time("to")} />
      </div>`}
      <p class="hint">What comes in between is told afterwards, if it still holds.</p>
      <h2>On a locked phone</h2>
      <${Check} label="Show details" isOn=${show_details === true} onChange=${(/** @type {boolean} */ show_details) => set({ show_details })} />
      <p class="hint">Names of medicines and temperatures, which others could read there. What is written in notes is never shown.</p>
    `}
  `;
}
