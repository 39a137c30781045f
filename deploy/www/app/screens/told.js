// What this person is told of: here or not, by family and kind, when never, and in which words. Shown where the server
// sends notifications.

import { html } from "../vendor/preact.js";
import { say, sayNodes } from "../words.js";
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
    <${Head} title=${say("account.notifications")} back="account" />
    ${!key
      ? html`<p class="soft">${say("told.not_by_server")}</p>`
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
    <h2>${isOne ? say("told.when_others_log") : sayNodes("told.when_others_log_in", { family: family.name })}</h2>
    <${Problem} text=${problem} />
    ${settings &&
    html`
      <div class="checks">
        ${Object.entries(kindNames).map(([kind, name]) => html`
          <${Check} key=${kind} label=${name} isOn=${kinds.includes(kind)}
            onChange=${(/** @type {boolean} */ isOn) => set({ kinds: [...kinds.filter((one) => one !== kind), ...(isOn ? [kind] : [])] })} />
        `)}
      </div>
      <h3>${say("told.and_when")}</h3>
      <${Check} label=${say("told.members")} isOn=${settings.members} onChange=${(/** @type {boolean} */ members) => set({ members })} />
      <${Check} label=${say("told.access_ends")} isOn=${settings.access_ends} onChange=${(/** @type {boolean} */ access_ends) => set({ access_ends })} />
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
    <h2>${say("told.quiet_hours")}</h2>
    <${Problem} text=${problem} />
    ${user &&
    html`
      <${Check} label=${say("told.nothing_at_night")} isOn=${Boolean(quiet)} onChange=${(/** @type {boolean} */ isOn) => set({ quiet: isOn ? { from: "22:00", to: "06:00" } : null })} />
      ${quiet && html`<div class="pair">
        <${Field} label=${say("told.from")} type="time" value=${quiet.from} onChange=${time("from")} />
        <${Field} label=${say("told.until")} type="time" value=${quiet.to} onChange=${time("to")} />
      </div>`}
      <p class="hint">${say("told.afterwards")}</p>
      <h2>${say("told.locked_phone")}</h2>
      <${Check} label=${say("told.show_details")} isOn=${show_details === true} onChange=${(/** @type {boolean} */ show_details) => set({ show_details })} />
      <p class="hint">${say("told.what_details")}</p>
    `}
  `;
}
