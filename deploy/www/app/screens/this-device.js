// How this device shows things: nobody else is concerned by it.

import { html, useState } from "../vendor/preact.js";
import { device, setDevice } from "../store/account.js";
import { isUS } from "../parts/format.js";
import { Choice } from "../parts/ui.js";

const looks = [["auto", "As the device"], ["light", "Light"], ["dark", "Dark"], ["night", "Night"]];
const clocks = [["auto", "As the device"], ["12", "12 h"], ["24", "24 h"]];
/** @type {[import("../parts/format.js").Quantity, string, string, string][]} */
const quantities = [
  ["volume", "Milk", "ml", "fl oz"], ["weight", "Weight", "kg", "lb, oz"], ["length", "Length", "cm", "in"], ["temperature", "Temperature", "°C", "°F"],
];

export function ThisDevice() {
  const [look, setLook] = useState(device().look ?? "auto");
  const [us, setUS] = useState(() => quantities.map(([quantity]) => quantity).filter(isUS));
  const [clock, setClock] = useState(device().clock ?? "auto");
  const choose = (/** @type {string} */ next) => {
    setDevice({ look: next });
    setLook(next);
  };
  const chooseClock = (/** @type {string} */ next) => {
    setDevice({ clock: next });
    setClock(next);
  };
  const set = (/** @type {import("../parts/format.js").Quantity} */ quantity, /** @type {boolean} */ isTheirs) => {
    const next = [...us.filter((one) => one !== quantity), ...(isTheirs ? [quantity] : [])];
    setDevice({ us: next });
    setUS(next);
  };
  return html`
    <${Choice} label="Look" options=${looks} value=${look} onChange=${choose} />
    <${Choice} label="Clock" options=${clocks} value=${clock} onChange=${chooseClock} />
    <div class="units">
      ${quantities.map(
        ([quantity, label, ours, theirs]) => html`
          <${Choice} key=${quantity} label=${label} kind="segments" options=${[[false, ours], [true, theirs]]} value=${us.includes(quantity)}
            onChange=${(/** @type {boolean} */ isTheirs) => set(quantity, isTheirs)} />
        `,
      )}
    </div>
  `;
}
