// The day: what was last, what goes on, what it adds up to, and the buttons that log.

import { html, useEffect, useState } from "../vendor/preact.js";
import { now } from "../store/clock.js";
import { go, useQuery, useStore, useTick } from "../parts/hooks.js";
import { age } from "../parts/format.js";
import { device, setDevice } from "../store/account.js";
import { isUnderWay } from "../store/kinds.js";
import { lastDoses } from "../model/doses.js";
import { feedToCountFrom } from "../model/feeds.js";
import { Icon } from "../parts/icons.js";
import { Notices, Waiting } from "./notices.js";
import { Running } from "../parts/running.js";
import { Last } from "../parts/last.js";
import { Overlaps } from "../parts/overlaps.js";
import { Totals } from "../parts/totals.js";
import { Dock } from "../parts/dock.js";
import { keepTheRest } from "../parts/update.js";
import { kindNames } from "../parts/text.js";
import { LogSheet } from "./log.js";

const types = Object.keys(kindNames);
const DAY = 86_400_000;

/**
 * The last of each kind, with the last breast feed and the last bottle apart, which are what the next ones are like.
 * @param {any} store
 * @param {any} child
 */
async function lately(store, child) {
  const several = ["feeding", "pumping", "medication", "sleep"];
  const { last, open, recent } = await store.latest(child.id, types, several, now() - 3 * DAY);
  const feed = (/** @type {string} */ type) => recent.feeding.find((/** @type {any} */ one) => one.event.type === type) ?? null;
  const feeding = feedToCountFrom(recent.feeding, last.feeding, device().feeds?.solids === true);
  const isSolidLast = last.feeding && last.feeding.time >= now() - DAY && last.feeding.id !== feeding?.id;
  const solid = isSolidLast ? feed("solid") : null;
  const pumped = recent.pumping.find((/** @type {any} */ one) => one.event.amount_ml) ?? null;
  return {
    child: child.id, open, given: recent.medication, sleeps: recent.sleep, solid,
    last: { ...last, feeding, breast: feed("breast"), bottle: feed("bottle"), pumped },
  };
}

export function Today() {
  const store = useStore();
  const { family } = store;
  const { child } = store.snapshot;
  useTick(30_000);
  useEffect(() => {
    document.title = child ? `${child.name} · Baby Basics` : "Baby Basics";
    const timer = setTimeout(() => {
      keepTheRest();
      import("./timeline.js").catch(() => {}); // the screen that is opened next, mostly
    }, 1_500);
    return () => clearTimeout(timer);
  }, [child?.id]);
  const [sheet, setSheet] = useState(/** @type {any} */ (null));
  const found = useQuery(() => (child ? lately(store, child) : Promise.resolve(null)), [child?.id]);
  const latest = found?.child === child?.id ? found : null;
  const canLog = family.role !== "viewer";
  if (!child) return html`<${NoChild} family=${family} />`;
  return html`
    <header class="day-head">
      <div>
        <h1 tabindex="-1">${child.name}</h1>
        <p class="soft">${age(child.date_of_birth)}${store.snapshot.families.length > 1 ? ` · ${family.name}` : ""}</p>
      </div>
      <${Look} />
      <a class="plain avatar" href="#/account" aria-label="Your account">${[...store.account.name.trim()][0]?.toUpperCase() ?? "?"}</a>
    </header>
    <${Waiting} />
    <${Notices} />
    ${latest &&
    html`
      ${canLog && html`<${Overlaps} sleeps=${latest.sleeps} me=${store.account.id} />`}
      <${Running} open=${latest.open} child=${child} last=${latest.last} canStop=${canLog} />
      <${Last} last=${latest.last} solid=${latest.solid} doses=${lastDoses(latest.given, now())} now=${now()}
        isAsleep=${latest.open.some((/** @type {any} */ one) => one.type === "sleep" && isUnderWay(one, now()))} />
      <${Totals} child=${child} />
    `}
    ${latest && canLog && html`<${Dock} family=${family} child=${child} onLog=${(/** @type {any} */ what) => setSheet({ ...what, child })} />`}
    ${latest && !canLog && html`<p class="quiet">You’re a viewer in ${family.name}: you can look at everything.</p>`}
    ${sheet && latest && html`<${LogSheet} ...${sheet} last=${latest.last} isTwin=${family.children.length > 1} onClose=${() => setSheet(null)} />`}
  `;
}

/** Night look on and off, in one tap. */
function Look() {
  const [look, setLook] = useState(device().look ?? "auto");
  const isNight = look === "night";
  const toggle = () => {
    const next = isNight ? "auto" : "night";
    setDevice({ look: next });
    setLook(next);
  };
  return html`
    ${isNight && html`<a class="plain" href="#/nursery" aria-label="Nursery"><${Icon} name="nursery" /></a>`}
    <button type="button" class="plain" aria-pressed=${isNight} aria-label="Night look" onClick=${toggle}>
      <${Icon} name=${isNight ? "sun" : "moon"} />
    </button>
  `;
}

/** @param {any} props */
const NoChild = ({ family }) => html`
  <header class="head"><h1 tabindex="-1">${family.name}</h1></header>
  <${Waiting} />
  <${Notices} />
  <div class="empty">
    <${Icon} name="child" />
    <p>There’s no child in this family yet.</p>
    ${family.role === "parent" && html`<button type="button" class="button primary" onClick=${() => go("child")}>Add a child</button>`}
  </div>
`;
