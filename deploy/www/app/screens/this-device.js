// How this device shows things: nobody else is concerned by it.

import { html, useState } from "../vendor/preact.js";
import { device, setDevice } from "../store/account.js";
import { isUS } from "../parts/format.js";
import { Icon } from "../parts/icons.js";
import { Choice } from "../parts/ui.js";

const looks = [["auto", "As the device"], ["light", "Light"], ["dark", "Dark"], ["night", "Night"]];
const clocks = [["auto", "As the device"], ["12", "12 h"], ["24", "24 h"]];
/** @type {[import("../parts/format.js").Quantity, string, string, string][]} */
const quantities = [
  ["volume", "Milk", "ml", "fl oz"], ["weight", "Weight", "kg", "lb, oz"], ["length", "Length", "cm", "in"], ["temperature", "Temperature", "°C", "°F"],
];

export function ThisDevice() {
  const [look, setLook] = useState(device().look ?? "auto");
  const [feeds, setFeeds] = useState(device().feeds ?? {});
  const [us, setUS] = useState(() => quantities.map(([quantity]) => quantity).filter(isUS));
  const [clock, setClock] = useState(device().clock ?? "auto");
  const [isNext, setNext] = useState(device().next !== false);
  const choose = (/** @type {string} */ next) => {
    setDevice({ look: next });
    setLook(next);
  };
  const chooseClock = (/** @type {string} */ next) => {
    setDevice({ clock: next });
    setClock(next);
  };
  const chooseFeeds = (/** @type {NonNullable<import("../store/account.js").Device["feeds"]>} */ change) => {
    setDevice({ feeds: { ...feeds, ...change } });
    setFeeds({ ...feeds, ...change });
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
    <${Choice} label="“Fed … ago” counts from a feed’s" kind="segments" options=${[[false, "Start"], [true, "End"]]} value=${feeds.fromEnd === true}
      onChange=${(/** @type {boolean} */ fromEnd) => chooseFeeds({ fromEnd })} />
    <label class="check">
      <input type="checkbox" checked=${feeds.solids === true} onChange=${(/** @type {any} */ event) => chooseFeeds({ solids: event.target.checked })} />
      <span>Solids count as a feed there</span>
    </label>
    <label class="check">
      <input type="checkbox" checked=${isNext} onChange=${(/** @type {any} */ event) => {
        setDevice({ next: event.target.checked });
        setNext(event.target.checked);
      }} />
      <span>Say when the next feed and sleep may come, from the last seven days</span>
    </label>
    <ul class="card rows">
      <li><a class="row-button" href="#/cards"><${Icon} name="today" /><span><strong>What Today shows</strong></span><${Icon} name="next" /></a></li>
    </ul>
  `;
}
