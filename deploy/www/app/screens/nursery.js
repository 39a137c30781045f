// The night's own page: four large buttons and the clock that runs, and the screen stays awake while it is open.

import { html, useEffect, useState } from "../vendor/preact.js";
import { say } from "../words.js";
import { useStyles } from "../charts/styles.js";
import { Asked } from "../parts/asked.js";
import { clockText, ago } from "../parts/format.js";
import { useQuery, useStore, useTick } from "../parts/hooks.js";
import { Icon } from "../parts/icons.js";
import { lastFeed, since } from "../parts/last.js";
import { Running } from "../parts/running.js";
import { cardIcon, cardName, kindNames } from "../parts/text.js";
import { Choice } from "../parts/ui.js";
import { cards, kindOf } from "../store/cards.js";
import { now } from "../store/clock.js";
import { isUnderWay } from "../store/kinds.js";
import { LogSheet } from "./log.js";

const LARGE = 4;
const types = Object.keys(kindNames);
const SEVERAL = ["feeding", "pumping"];
const LATELY = 3 * 86_400_000;

/** Keeps the screen on, where the browser can; the browser lets go by itself when the page is hidden. */
function useAwake() {
  useEffect(() => {
    /** @type {any} */
    let lock = null;
    let isOpen = true;
    const ask = async () => {
      if (document.visibilityState !== "visible" || (lock && !lock.released)) return;
      try {
        const got = await /** @type {any} */ (navigator).wakeLock?.request("screen");
        if (isOpen) lock = got;
        else got?.release();
      } catch {
        // A low battery, say: then the screen sleeps as always.
      }
    };
    ask();
    document.addEventListener("visibilitychange", ask);
    return () => {
      isOpen = false;
      document.removeEventListener("visibilitychange", ask);
      lock?.release();
    };
  }, []);
}

export function Nursery() {
  const store = useStore();
  const { family } = store;
  const { child } = store.snapshot;
  const [sheet, setSheet] = useState(/** @type {any} */ (null));
  const tick = useTick(15_000);
  useAwake();
  const isStyled = useStyles(new URL("./nursery.css", import.meta.url));
  useEffect(() => {
    document.title = say("common.page_title", { title: say("look.nursery") });
  }, []);
  const found = useQuery(
    async () => child && { child: child.id, ...await store.latest(child.id, types, SEVERAL, now() - LATELY) },
    [child?.id],
  );
  const latest = found?.child === child?.id ? found : null;
  const isTwin = family.children.length > 1;
  const canLog = family.role !== "viewer";
  const head = html`<header class="head">
    <a class="plain" href="#/today" aria-label=${say("common.back")}><${Icon} name="back" /></a>
    <h1>${child?.name ?? family.name}</h1><p class="nursery-clock" data-tick=${tick}>${clockText(now())}</p>
  </header>`;
  if (!child || !isStyled) return head;
  return html`
    ${head}
    ${isTwin && html`<${Choice} label=${say("common.child")} hidden kind="children" value=${child.id}
      options=${family.children.map((one) => [one.id, one.name])}
      onChange=${(/** @type {string} */ id) => store.choose(family.id, id)} />`}
    ${latest && html`
      <${Running} open=${latest.open} child=${child} last=${lastOf(latest)} canStop=${canLog} />
      <${Since} latest=${latest} />
      ${canLog && html`<section class="nursery" aria-label=${say("dock.log")}>${cards().shown.slice(0, LARGE).map((card) => {
        const [type, label] = [kindOf(card), cardName(card)];
        return html`<button type="button" key=${card} class=${`log ${type}`}
          aria-label=${isTwin ? say("dock.for_child", { what: label, child: child.name }) : label}
          onClick=${() => setSheet({ type, ...(type !== card && { of: card }) })}>
          <${Icon} name=${cardIcon(card)} /><span>${label}</span>
          ${isTwin && html`<small>${child.name}</small>`}</button>`;
      })}</section>`}
      <${Asked} child=${child} />
      ${sheet && html`<${LogSheet} ...${sheet} child=${child} last=${lastOf(latest)} isTwin=${isTwin}
        onClose=${() => setSheet(null)} />`}`}
  `;
}

/**
 * The last of each kind, and what the next are likely to be like.
 * @param {any} latest
 */
function lastOf({ last, recent }) {
  const feed = (/** @type {string} */ type) =>
    recent.feeding.find((/** @type {any} */ one) => one.event.type === type) ?? null;
  const pumped = recent.pumping.find((/** @type {any} */ one) => one.event.amount_ml) ?? null;
  return { ...last, breast: feed("breast"), bottle: feed("bottle"), pumped };
}

/**
 * What is asked first, where no clock runs that says it.
 * @param {{latest: any}} props
 */
function Since({ latest }) {
  const { last, open } = latest;
  /** @type {import("../store/types").Kept[]} */
  const going = open;
  const runs = new Set(going.filter((one) => isUnderWay(one, now())).map(({ type }) => type));
  const { first: feeding } = lastFeed(latest);
  const lines = [
    feeding && !runs.has("feeding") && say("nursery.fed", { when: ago(since(feeding)) }),
    last.sleep?.event.ended_at && !runs.has("sleep") && say("nursery.woke_up", { when: ago(since(last.sleep)) }),
    last.diaper && say("nursery.changed", { when: ago(last.diaper.time) }),
  ].filter(Boolean);
  return html`<ul class="nursery-since">${lines.map((line) => html`<li>${line}</li>`)}</ul>`;
}
