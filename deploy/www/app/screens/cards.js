// What Today shows on this device, and in what order.

import { html, useEffect, useRef, useState } from "../vendor/preact.js";
import { say } from "../words.js";
import { setDevice } from "../store/account.js";
import { cards, moveCard, showCard } from "../store/cards.js";
import { cardIcon, cardName } from "../parts/text.js";
import { Icon } from "../parts/icons.js";
import { Button, Head } from "../parts/ui.js";

export function Cards() {
  const [{ all, shown }, setCards] = useState(cards);
  const [said, tell] = useState("");
  const moved = useRef("");
  // The button that was pressed keeps the focus, wherever its row went.
  useEffect(() => document.getElementById(moved.current)?.focus(), [all]);
  const move = (/** @type {string} */ card, /** @type {number} */ by) => {
    moveCard(card, by);
    moved.current = `${by < 0 ? "up" : "down"}-${card}`;
    const next = cards();
    tell(say("cards.is_number", { what: cardName(card), number: next.all.indexOf(card) + 1 }));
    setCards(next);
  };
  const show = (/** @type {string} */ card, /** @type {boolean} */ isShown) => {
    showCard(card, isShown);
    setCards(cards());
  };
  const reset = () => {
    setDevice({ cards: undefined });
    tell(say("cards.reset"));
    setCards(cards());
  };
  return html`
    <${Head} title=${say("cards.title")} back="today" />
    <p class="soft">${say("cards.about")}</p>
    <ul class="card rows card-list">
      ${all.map(
        (card, place) => html`
          <li key=${card}>
            <label class="check">
              <input type="checkbox" checked=${shown.includes(card)}
                onChange=${(/** @type {any} */ event) => show(card, event.target.checked)} />
              <${Icon} name=${cardIcon(card)} /><span>${cardName(card)}</span>
            </label>
            <button type="button" class="plain" id=${`up-${card}`} aria-label=${say("cards.move_up", { what: cardName(card) })}
              aria-disabled=${place === 0 ? "true" : undefined} onClick=${() => move(card, -1)}>
              <${Icon} name="up" />
            </button>
            <button type="button" class="plain" id=${`down-${card}`} aria-label=${say("cards.move_down", { what: cardName(card) })}
              aria-disabled=${place === all.length - 1 ? "true" : undefined} onClick=${() => move(card, 1)}>
              <${Icon} name="down" />
            </button>
          </li>
        `,
      )}
    </ul>
    <p class="unseen" role="status">${said}</p>
    <div class="actions"><${Button} onClick=${reset}>${say("cards.reset")}<//></div>
  `;
}
