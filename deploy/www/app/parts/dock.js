// The buttons that log, above the bar. With twins, each says for whom.

import { html, useState } from "../vendor/preact.js";
import { say } from "../words.js";
import { cards, kindOf } from "../store/cards.js";
import { cardIcon, cardName } from "./text.js";
import { useStore } from "./hooks.js";
import { Icon } from "./icons.js";
import { Choice, Sheet } from "./ui.js";

const AT_HAND = 4; // the rest is behind one more tap

/** @param {{family: import("../store/types").StoredFamily, child: import("../store/types").StoredChild, onLog: (what: any) => void}} props */
export function Dock({ family, child, onLog }) {
  const store = useStore();
  const [isOpen, setOpen] = useState(false);
  const isTwin = family.children.length > 1;
  const { shown } = cards();
  const button = (/** @type {string} */ card) => {
    const [type, label] = [kindOf(card), cardName(card)];
    return html`
      <button type="button" key=${card} class=${`log ${type}`}
        aria-label=${isTwin ? say("dock.for_child", { what: label, child: child.name }) : label}
        onClick=${() => {
          setOpen(false);
          onLog({ type, ...(type !== card && { of: card }) });
        }}>
        <${Icon} name=${cardIcon(card)} />
        <span>${label}</span>
        ${isTwin && html`<small>${child.name}</small>`}
      </button>
    `;
  };
  return html`
    <section class="dock" aria-label=${say("dock.log")}>
      ${isTwin &&
      html`<${Choice} label=${say("common.child")} hidden kind="children" value=${child.id} options=${family.children.map((one) => [one.id, one.name])}
        onChange=${(/** @type {string} */ id) => store.choose(family.id, id)} />`}
      <div class="logs">
        ${shown.slice(0, AT_HAND).map(button)}
        <button type="button" class="log" onClick=${() => setOpen(true)}><${Icon} name="more" /><span>${say("dock.more")}</span></button>
      </div>
      ${isOpen &&
      html`<${Sheet} title=${isTwin ? say("dock.log_for", { child: child.name }) : say("dock.log")} onClose=${() => setOpen(false)}>
        <div class="logs all">${shown.slice(AT_HAND).map(button)}</div>
        <a class="link" href="#/cards">${say("dock.choose")}</a>
      <//>`}
    </section>
  `;
}
