// Whose data is on this device, and the screens that show it.

import { html, useEffect, useErrorBoundary, useState } from "./vendor/preact.js";
import { say } from "./words.js";
import { account, pendingInvite, setAccount } from "./store/account.js";
import { Store } from "./store/store.js";
import { Engine } from "./sync/engine.js";
import { setZone } from "./parts/format.js";
import { StoreContext, useRoute, useStore } from "./parts/hooks.js";
import { Bar } from "./parts/bar.js";
import { fetched } from "./parts/fetched.js";
import { Again, Head } from "./parts/ui.js";
import { Joining } from "./screens/joining.js";
import { Today } from "./screens/today.js";
import { Dots, Unfetched } from "./screens/unfetched.js";

function NotYet() {
  const { family } = useStore().snapshot;
  return html`<${Head} title=${say("signed_in.not_yet")} back=${family && "today"} /><${Unfetched} />`;
}

const fetchedScreen = (/** @type {() => Promise<any>} */ load) => fetched(load, { Meanwhile: Dots, Otherwise: NotYet });

/**
 * Fetched when first asked for.
 * @type {Record<string, (props: any) => any>}
 */
const later = {
  timeline: fetchedScreen(() => import("./screens/timeline.js").then((module) => module.Timeline)),
  deleted: fetchedScreen(() => import("./screens/deleted.js").then((module) => module.DeletedEntries)),
  family: fetchedScreen(() => import("./screens/family.js").then((module) => module.Family)),
  member: fetchedScreen(() => import("./screens/member.js").then((module) => module.Member)),
  child: fetchedScreen(() => import("./screens/child.js").then((module) => module.Child)),
  "new-family": fetchedScreen(() => import("./screens/new-family.js").then((module) => module.NewFamily)),
  invite: fetchedScreen(() => import("./screens/invite.js").then((module) => module.Invite)),
  programs: fetchedScreen(() => import("./screens/programs.js").then((module) => module.Programs)),
  webhooks: fetchedScreen(() => import("./screens/webhooks.js").then((module) => module.Webhooks)),
  account: fetchedScreen(() => import("./screens/account.js").then((module) => module.Account)),

  told: fetchedScreen(() => import("./screens/told.js").then((module) => module.Told)),
  open: fetchedScreen(() => import("./screens/open.js").then((module) => module.Open)),
  cards: fetchedScreen(() => import("./screens/cards.js").then((module) => module.Cards)),
  forgot: fetchedScreen(() => import("./screens/forgot.js").then((module) => module.ForgotSignedIn)),
  devices: fetchedScreen(() => import("./screens/devices.js").then((module) => module.Devices)),
  changes: fetchedScreen(() => import("./screens/changes.js").then((module) => module.Changes)),
  waiting: fetchedScreen(() => import("./screens/waiting.js").then((module) => module.WaitingList)),
  trends: fetchedScreen(() => import("./screens/more.js").then((module) => module.Trends)),
  growth: fetchedScreen(() => import("./screens/more.js").then((module) => module.Growth)),
  doctor: fetchedScreen(() => import("./screens/more.js").then((module) => module.ForDoctor)),
  month: fetchedScreen(() => import("./screens/more.js").then((module) => module.Month)),
  nursery: fetchedScreen(() => import("./screens/nursery.js").then((module) => module.Nursery)),
  sheet: fetchedScreen(() => import("./screens/more.js").then((module) => module.FourteenDays)),
  import: fetchedScreen(() => import("./screens/more.js").then((module) => module.Import)),
  export: fetchedScreen(() => import("./screens/more.js").then((module) => module.Export)),
};

const SetUp = fetchedScreen(() => import("./screens/set-up.js").then((module) => module.SetUp));

const Broken = () => html`
  <${Head} title=${say("signed_in.broken")} />
  <p class="soft">${say("signed_in.broken_why")}</p>
  <${Again} />
`;

/** @param {any} props */
function Screens({ onSignOut }) {
  const store = useStore();
  const [failure] = useErrorBoundary(console.error);
  const [screen, rest] = useRoute();
  setZone(store.account.timezone);
  const { family, isKnown } = store.snapshot;
  if (failure) return html`<div class="app"><main><${Broken} /></main></div>`;
  if (!family && !["account", "devices", "forgot", "told"].includes(screen)) {
    return !isKnown || pendingInvite() ? html`<${Joining} />` : html`<${SetUp} />`;
  }
  const name = screen in later ? screen : "family";
  // The timeline stays where it is while one of its entries is open over it.
  const key = name === "timeline" ? name : `${name}/${rest}`;
  return html`
    <div class=${`app at-${screen}`}>
      <main>
        ${screen === "today" ? html`<${Today} rest=${rest} />` : html`<${later[name]} key=${key} rest=${rest} onSignOut=${onSignOut} />`}
      </main>
      ${family && screen !== "nursery" && html`<${Bar} screen=${screen} />`}
    </div>
  `;
}

/** @param {{user: any, onOut: () => void, onRefused: (error: any) => void, onSignOut: (store: any) => Promise<void>}} props */
export function SignedIn({ user, onOut, onRefused, onSignOut }) {
  const [store, setStore] = useState(/** @type {Store | null} */ (null));
  useEffect(() => {
    let isCurrent = true;
    Store.open(user).then((opened) => (isCurrent ? setStore(opened) : opened.close()), onRefused);
    return () => {
      isCurrent = false;
    };
  }, [user.id]);
  useEffect(() => {
    if (!store) return;
    const leave = () => {
      const known = account();
      if (known) setAccount({ ...known, signedOut: true });
      engine.stop();
      store.close();
      import("./sync/push.js").then(({ unsubscribe }) => unsubscribe()).catch(() => {});
      onOut();
    };
    const engine = new Engine(store, () => {
      store.tell("signed-out");
      leave();
    });
    store.addEventListener("signed-out", leave);
    // Another tab signs out and takes the account off the device; this one starts anew as soon as it has.
    store.addEventListener("forgotten", () => {
      engine.stop();
      store.close();
    });
    store.addEventListener("outdated", () => location.reload());
    engine.start();
    return () => engine.stop();
  }, [store]);
  if (!store) return null;
  return html`<${StoreContext.Provider} value=${store}><${Screens} onSignOut=${() => onSignOut(store)} /><//>`;
}
