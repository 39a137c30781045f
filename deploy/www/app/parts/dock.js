// The buttons that log, above the bar. With twins, each says for whom.

import { html, useState } from "../vendor/preact.js";
import { kindName } from "./text.js";
import { useStore } from "./hooks.js";
import { Icon } from "./icons.js";
import { Choice, Sheet } from "./ui.js";

const first = /** @type {[any, string][]} */ ([
  [{ type: "feeding", of: "bottle" }, "Bottle"],
  [{ type: "feeding", of: "breast" }, "Breast"],
  [{ type: "sleep" }, "Sleep"],
  [{ type: "diaper" }, "Diaper"],
]);
const rest = /** @type {[any, string][]} */ ([
  [{ type: "feeding", of: "solid" }, "Solids"],
  ...["note", "pumping", "medication", "temperature", "measurement", "activity", "discard"].map((type) => [{ type }, kindName(type)]),
]);

/** @param {any} what */
const iconOf = ({ type, of }) => (of && of !== "bottle" ? of : type);

/** @param {{family: import("../store/types").StoredFamily, child: import("../store/types").StoredChild, onLog: (what: any) => void}} props */
export function Dock({ family, child, onLog }) {
  const store = useStore();
  const [isOpen, setOpen] = useState(false);
  const isTwin = family.children.length > 1;
  const button = (/** @type {[any, string]} */ [what, label]) => html`
    <button type="button" key=${label} class=${`log ${what.type}`} aria-label=${isTwin ? `${label} for ${child.name}` : label}
      onClick=${() => {
        setOpen(false);
        onLog(what);
      }}>
      <${Icon} name=${iconOf(what)} />
      <span>${label}</span>
      ${isTwin && html`<small>${child.name}</small>`}
    </button>
  `;
  return html`
    <section class="dock" aria-label="Log">
      ${isTwin &&
      html`<${Choice} label="Child" hidden kind="children" value=${child.id} options=${family.children.map((one) => [one.id, one.name])}
        onChange=${(/** @type {string} */ id) => store.choose(family.id, id)} />`}
      <div class="logs">
        ${first.map(button)}
        <button type="button" class="log" onClick=${() => setOpen(true)}><${Icon} name="more" /><span>More</span></button>
      </div>
      ${isOpen && html`<${Sheet} title=${isTwin ? `Log for ${child.name}` : "Log"} onClose=${() => setOpen(false)}><div class="logs all">${rest.map(button)}</div><//>`}
    </section>
  `;
}
