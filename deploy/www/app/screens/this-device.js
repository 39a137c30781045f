// How this device shows things: nobody else is concerned by it.

import { html, useState } from "../vendor/preact.js";
import { say } from "../words.js";
import { device, setDevice } from "../store/account.js";
import { isUS } from "../parts/format.js";
import { Icon } from "../parts/icons.js";
import { Choice } from "../parts/ui.js";

const looks = () => [
  ["auto", say("device.as_the_device")], ["light", say("device.light")], ["dark", say("device.dark")], ["night", say("device.night")],
];
const clocks = () => [
  ["auto", say("device.as_the_device")], ["12", say("length.hours", { hours: 12 })], ["24", say("length.hours", { hours: 24 })],
];
/** @typedef {import("../words.js").Id} Id */
/** @type {[import("../parts/format.js").Quantity, Id, Id, Id][]} */
const quantities = [
  ["volume", "device.milk", "unit.name.ml", "unit.name.fl_oz"], ["weight", "growth.weight", "unit.name.kg", "unit.name.lb_oz"],
  ["length", "growth.length", "unit.name.cm", "unit.name.in"],
  ["temperature", "kind.temperature", "unit.name.celsius", "unit.name.fahrenheit"],
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
    <${Choice} label=${say("device.look")} options=${looks()} value=${look} onChange=${choose} />
    <${Choice} label=${say("device.clock")} options=${clocks()} value=${clock} onChange=${chooseClock} />
    <div class="units">
      ${quantities.map(
        ([quantity, label, ours, theirs]) => html`
          <${Choice} key=${quantity} label=${say(label)} kind="segments" value=${us.includes(quantity)}
            options=${[[false, say(ours)], [true, say(theirs)]]}
            onChange=${(/** @type {boolean} */ isTheirs) => set(quantity, isTheirs)} />
        `,
      )}
    </div>
    <${Choice} label=${say("device.fed_ago_counts")} kind="segments" value=${feeds.fromEnd === true}
      options=${[[false, say("device.start")], [true, say("device.end")]]} onChange=${(/** @type {boolean} */ fromEnd) => chooseFeeds({ fromEnd })} />
    <label class="check">
      <input type="checkbox" checked=${feeds.solids === true} onChange=${(/** @type {any} */ event) => chooseFeeds({ solids: event.target.checked })} />
      <span>${say("device.solids_count")}</span>
    </label>
    <label class="check">
      <input type="checkbox" checked=${isNext} onChange=${(/** @type {any} */ event) => {
        setDevice({ next: event.target.checked });
        setNext(event.target.checked);
      }} />
      <span>${say("device.say_next")}</span>
    </label>
    <ul class="card rows">
      <li><a class="row-button" href="#/cards"><${Icon} name="today" /><span><strong>${say("cards.title")}</strong></span><${Icon} name="next" /></a></li>
    </ul>
  `;
}
