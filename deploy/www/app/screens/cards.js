// What Today shows on this device, and in what order.

import { html, useEffect, useRef, useState } from "../vendor/preact.js";
import { setDevice } from "../store/account.js";
import { cards, moveCard, showCard } from "../store/cards.js";
import { cardIcon, cardName } from "../parts/text.js";
import { Icon } from "../parts/icons.js";
import { Button, Head } from "../parts/ui.js";

export function Cards() {
  const [{ all, shown }, setCards] = useState(cards);
  const [said, say] = useState("");
  const moved = useRef("");
  // The button that was pressed keeps the focus, wherever its row went.
  useEffect(() => document.getElementById(moved.current)?.focus(), [all]);
  const move = (/** @type {string} */ card, /** @type {number} */ by) => {
    moveCard(card, by);
    moved.current = `${by < 0 ? "up" : "down"}-${card}`;
    const next = cards();
    say(`${cardName(card)} is number ${next.all.indexOf(card) + 1}`);
    setCards(next);
  };
  const show = (/** @type {string} */ card, /** @type {boolean} */ isShown) => {
    showCard(card, isShown);
    setCards(cards());
  };
  const reset = () => {
    setDevice({ cards: undefined });
    say("As it was at first");
    setCards(cards());
  };
  return html`
    <${Head} title="What Today shows" back="today" />
    <p class="soft">On this device alone. The first four have a button at hand, the others are behind More. What you take
      out isn’t lost: it stays in the timeline.</p>
    <ul class="card rows card-list">
      ${all.map(
        (card, place) => html`
          <li key=${card}>
            <label class="check">
              <input type="checkbox" checked=${shown.includes(card)}
                onChange=${(/** @type {any} */ event) => show(card, event.target.checked)} />
              <${Icon} name=${cardIcon(card)} /><span>${cardName(card)}</span>
            </label>
            <button type="button" class="plain" id=${`up-${card}`} aria-label=${`Move ${cardName(card)} up`}
              aria-disabled=${place === 0 ? "true" : undefined} onClick=${() => move(card, -1)}>
              <${Icon} name="up" />
            </button>
            <button type="button" class="plain" id=${`down-${card}`} aria-label=${`Move ${cardName(card)} down`}
              aria-disabled=${place === all.length - 1 ? "true" : undefined} onClick=${() => move(card, 1)}>
              <${Icon} name="down" />
            </button>
          </li>
        `,
      )}
    </ul>
    <p class="unseen" role="status">${said}</p>
    <div class="actions"><${Button} onClick=${reset}>As it was at first<//></div>
  `;
}
