// The day: what was last, what goes on, what it adds up to, and the buttons that log.

import { html, useEffect, useState } from "../vendor/preact.js";
import { say, sayNodes } from "../words.js";
import { now } from "../store/clock.js";
import { go, useQuery, useStore, useTick } from "../parts/hooks.js";
import { age } from "../parts/format.js";
import { isUnderWay } from "../store/kinds.js";
import { lastDoses } from "../model/doses.js";
import { Icon } from "../parts/icons.js";
import { Notices, Waiting } from "./notices.js";
import { fetched } from "../parts/fetched.js";
import { Due } from "../parts/due.js";
import { Doses, dosesOf, TooNear } from "../parts/medicines.js";
import { Running } from "../parts/running.js";
import { Last } from "../parts/last.js";
import { Look } from "../parts/look.js";
import { Overlaps } from "../parts/overlaps.js";
import { Totals } from "../parts/totals.js";
import { Dock } from "../parts/dock.js";
import { keepTheRest } from "../parts/update.js";
import { kindNames } from "../parts/text.js";
import { lately } from "./lately.js";

const Away = fetched(() => import("../parts/away.js").then((module) => module.Away));
const Next = fetched(() => import("../parts/next.js").then((module) => module.Next));
const fetchLog = () => import("./log.js").then((module) => module.LogSheet);
const LogSheet = fetched(fetchLog);
const Remind = fetched(() => import("./remind.js").then((module) => module.Remind));

/** @param {{rest: string}} props what is to be done at once: `log/sleep`, or `give/` and a plan */
export function Today({ rest }) {
  const store = useStore();
  const { family } = store;
  const { child } = store.snapshot;
  useTick(30_000);
  useEffect(() => {
    fetchLog().catch(() => {}); // what is tapped next, mostly; a tap that is quicker waits for it
  }, []);
  useEffect(() => {
    document.title = child ? say("common.page_title", { title: child.name }) : say("common.app");
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
  useEffect(() => {
    const [what, of] = rest.split("/");
    if (!latest || !rest) return;
    location.replace("#/today");
    if (canLog && what === "log" && Object.hasOwn(kindNames, of)) setSheet({ type: of, child });
    if (canLog && what === "give") store.event(family.id, of).then((kept) => kept?.plan && kept.child_id === child?.id && setSheet({ type: "medication", plan: kept.event, child }));
  }, [rest, latest === null]);
  const open = (/** @type {any} */ what) => setSheet({ child, ...what });
  const bell = (/** @type {any} */ about) => setSheet({ about: { child_id: child?.id, ...about }, child });
  const doses = latest ? dosesOf(latest.medicines, store.account) : [];
  const planned = {
    given: latest?.medicines.given, child, canGive: canLog, isTwin: family.children.length > 1, told: latest?.told,
    onOpen: (/** @type {any} */ plan) => open({ type: "medication", plan }),
    onBell: (/** @type {any} */ { id, name }) => bell({ plan_id: id, name }),
  };
  const others = lastDoses(latest?.medicines.given ?? [], now())
    .filter(({ event }) => !doses.some(({ plan }) => plan.id === event.plan_id)); // a plan's row says when it was last
  if (!child) return html`<${NoChild} family=${family} />`;
  return html`
    <header class="day-head">
      <div>
        <h1 tabindex="-1">${child.name}</h1>
        <p class="soft">${age(child.date_of_birth)}${store.snapshot.families.length > 1 ? ` · ${family.name}` : ""}</p>
      </div>
      <${Look} />
      <a class="plain avatar" href="#/account" aria-label=${say("today.your_account")}>${[...store.account.name.trim()][0]?.toUpperCase() ?? "?"}</a>
    </header>
    <${Waiting} />
    <${Notices} />
    <${Away} key=${child.id} child=${child} />
    ${latest &&
    html`
      ${canLog && html`<${Overlaps} sleeps=${latest.sleeps} me=${store.account.id} /><${TooNear} medicines=${latest.medicines} />`}
      <${Due} children=${family.children} canLog=${canLog} onLog=${open} />
      <${Running} open=${latest.open} child=${child} last=${latest.last} canStop=${canLog} />
      <${Doses} label=${say("today.medicine_due")} doses=${doses.filter(({ isDue }) => isDue)} ...${planned} />
      <${Last} last=${latest.last} solid=${latest.solid} bottles=${latest.bottles} told=${latest.told}
        onBell=${(/** @type {string} */ on) => bell({ on })} doses=${others} now=${now()}
        isAsleep=${latest.open.some((/** @type {any} */ one) => one.type === "sleep" && isUnderWay(one, now()))} />
      <${Doses} label=${say("today.medicine_later")} kind="later" doses=${doses.filter(({ isDue }) => !isDue)} ...${planned} />
      <${Next} child=${child} isFeeding=${latest.open.some((/** @type {any} */ one) => one.type === "feeding" && isUnderWay(one, now()))} />
      <${Totals} child=${child} />
    `}
    ${latest && canLog && html`<${Dock} family=${family} child=${child} onLog=${open} />`}
    ${latest && !canLog && html`<p class="quiet">${sayNodes("today.viewer", { family: family.name })}</p>`}
    ${sheet?.about && html`<${Remind} about=${sheet.about} child=${sheet.child} onClose=${() => setSheet(null)} />`}
    ${sheet?.type && latest && html`<${LogSheet} ...${sheet} last=${latest.last} isTwin=${family.children.length > 1} onClose=${() => setSheet(null)} />`}
  `;
}

/** @param {any} props */
const NoChild = ({ family }) => html`
  <header class="head"><h1 tabindex="-1">${family.name}</h1></header>
  <${Waiting} />
  <${Notices} />
  <div class="empty">
    <${Icon} name="child" />
    <p>${say("today.no_child")}</p>
    ${family.role === "parent" && html`<button type="button" class="button primary" onClick=${() => go("child")}>${say("today.add_child")}</button>`}
  </div>
`;
