// The beginning: whose browser this is decides whether there are three doors or a family's day.

import { html, render, useEffect, useState } from "./vendor/preact.js";
import { account, isLeaving, look, pendingInvite, setAccount, setLeaving } from "./store/account.js";
import { Store } from "./store/store.js";
import { post } from "./sync/api.js";
import { Engine } from "./sync/engine.js";
import { setZone } from "./parts/format.js";
import { StoreContext, useRoute, useStore } from "./parts/hooks.js";
import { Toasts } from "./parts/toast.js";
import { Bar } from "./parts/bar.js";
import { Head } from "./parts/ui.js";
import { Update, watchForUpdates } from "./parts/update.js";
import { Doors } from "./screens/doors.js";
import { Joining, SetUp } from "./screens/set-up.js";
import { Today } from "./screens/today.js";
import { Timeline } from "./screens/timeline.js";

/**
 * Fetched when first asked for.
 * @type {Record<string, () => Promise<any>>}
 */
const later = {
  family: () => import("./screens/family.js").then((module) => module.Family),
  member: () => import("./screens/member.js").then((module) => module.Member),
  child: () => import("./screens/child.js").then((module) => module.Child),
  "new-family": () => import("./screens/new-family.js").then((module) => module.NewFamily),
  invite: () => import("./screens/invite.js").then((module) => module.Invite),
  account: () => import("./screens/account.js").then((module) => module.Account),
  devices: () => import("./screens/devices.js").then((module) => module.Devices),
  changes: () => import("./screens/changes.js").then((module) => module.Changes),
  waiting: () => import("./screens/waiting.js").then((module) => module.WaitingList),
  trends: () => import("./screens/more.js").then((module) => module.Trends),
  growth: () => import("./screens/more.js").then((module) => module.Growth),
  import: () => import("./screens/more.js").then((module) => module.Import),
  export: () => import("./screens/more.js").then((module) => module.Export),
};

/** @param {any} props */
function Later({ name, ...rest }) {
  const [loaded, setLoaded] = useState(/** @type {any} */ (null));
  useEffect(() => {
    let isCurrent = true;
    later[name]().then(
      (screen) => isCurrent && setLoaded({ name, screen }),
      () => isCurrent && setLoaded({ name, screen: Missing }),
    );
    return () => {
      isCurrent = false;
    };
  }, [name]);
  return loaded?.name === name ? html`<${loaded.screen} ...${rest} />` : html`<p class="soft">…</p>`;
}

const Missing = () => html`
  <${Head} title="Not on this device yet" back="today" />
  <p class="soft">This page has to be fetched once. Connect to the network, then open it again.</p>
`;

/** @param {any} props */
function Screens({ onSignOut }) {
  const store = useStore();
  const [screen, rest] = useRoute();
  setZone(store.account.timezone);
  const { family, isKnown } = store.snapshot;
  if (!family && screen !== "account" && screen !== "devices") {
    return !isKnown || pendingInvite() ? html`<${Joining} />` : html`<${SetUp} />`;
  }
  const shown = screen === "today" ? Today : screen === "timeline" ? Timeline : null;
  return html`
    <div class=${`app ${screen}`}>
      <main>
        ${shown ? html`<${shown} rest=${rest} />` : html`<${Later} key=${`${screen}/${rest}`} name=${screen in later ? screen : "family"} rest=${rest} onSignOut=${onSignOut} />`}
      </main>
      ${family && html`<${Bar} screen=${screen} />`}
    </div>
  `;
}

function App() {
  const [store, setStore] = useState(/** @type {Store | null} */ (null));
  const [refused, setRefused] = useState(false);
  const [isOut, setOut] = useState(() => !account() || account()?.signedOut === true);

  const enter = async (/** @type {any} */ user) => {
    setAccount(user);
    before = who();
    setLeaving(false);
    try {
      const opened = await Store.open(user);
      setStore(opened);
      setOut(false);
    } catch (error) {
      console.warn(error);
      setRefused(true);
    }
  };
  useEffect(() => {
    const known = account();
    if (known && !isOut) enter(known);
  }, []);
  useEffect(() => {
    if (!store) return;
    const leave = () => {
      const known = account();
      if (known) setAccount({ ...known, signedOut: true });
      before = who();
      engine.stop();
      store.close();
      setStore(null);
      setOut(true);
    };
    const engine = new Engine(store, () => {
      store.tell("signed-out");
      leave();
    });
    store.addEventListener("signed-out", leave);
    engine.start();
    return () => engine.stop();
  }, [store]);

  const signOut = async () => {
    setLeaving(true);
    await store?.forget();
    setAccount(null);
    await post("/auth/logout", {}).then(() => setLeaving(false), (error) => error.status && setLeaving(false));
    location.replace("/");
  };
  if (refused) return html`<${Refused} />`;
  if (isOut) return html`<${Doors} onSignedIn=${enter} />`;
  if (!store) return null;
  return html`<${StoreContext.Provider} value=${store}><${Screens} onSignOut=${signOut} /><//>`;
}

const Refused = () => html`
  <main class="doors">
    <${Head} title="This browser won’t keep anything" />
    <p class="soft">Baby Basics keeps your entries on the device before it sends them, and this browser doesn’t allow it.
      A private window may be the reason, or a storage that is full. Your account is fine: try another window or browser.</p>
    <div class="actions"><button type="button" class="button primary" onClick=${() => location.reload()}>Try again</button></div>
  </main>
`;

/** A sign-out that couldn't reach the server is finished before anything else. */
if (isLeaving()) await post("/auth/logout", {}).then(() => setLeaving(false), (error) => error.status && setLeaving(false));
look();
const who = () => `${account()?.id} ${account()?.signedOut === true}`;
let before = who();
addEventListener("storage", ({ key }) => {
  if (key === "device" || key === null) look();
  if (who() !== before) location.reload(); // another tab signed in or out
});
watchForUpdates();
render(html`<${App} /><${Toasts} /><${Update} />`, /** @type {Element} */ (document.getElementById("app")));
