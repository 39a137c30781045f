// The beginning: whose browser this is decides whether there are three doors or a family's day.

import { html, render, useEffect, useState } from "./vendor/preact.js";
import { loadWords, say } from "./words.js";
import { account, isLeaving, look, setAccount, setLeaving } from "./store/account.js";
import { post } from "./sync/api.js";
import { readServer } from "./sync/server.js";
import { Toasts } from "./parts/toast.js";
import { Again, Head } from "./parts/ui.js";
import { keepWords, Update, watchForUpdates } from "./parts/update.js";
import { Doors } from "./screens/doors.js";

// What is behind the doors comes when somebody is about to go through one.
const behind = () => import("./signed-in.js");

const who = () => `${account()?.id} ${account()?.signedOut === true}`;
let before = who();

function App() {
  const [user, setUser] = useState(() => (account()?.signedOut ? null : account()));
  const [SignedIn, setSignedIn] = useState(/** @type {any} */ (null));
  const [problem, setProblem] = useState("");
  const fetchIt = () => behind().then((module) => setSignedIn(() => module.SignedIn), () => setProblem("missing"));
  useEffect(() => {
    if (user) fetchIt();
  }, []);
  const enter = async (/** @type {any} */ user) => {
    setAccount(user);
    setLeaving(false);
    before = who();
    await fetchIt();
    setUser(user);
  };
  const out = () => {
    before = who();
    setUser(null);
  };
  const refuse = (/** @type {any} */ error) => {
    console.warn(error);
    setProblem(error.name === "VersionError" ? "older" : "refused");
  };
  if (problem) return html`<${problems[problem]} />`;
  if (!user) return html`<${Doors} onSignedIn=${enter} onDoor=${behind} left=${left} />`;
  return SignedIn && html`<${SignedIn} user=${user} onOut=${out} onRefused=${refuse} onSignOut=${signOut} />`;
}

/**
 * Nothing of the account stays here; the server hears of it at once, or at the next opening.
 * @param {any} store
 */
async function signOut(store) {
  setLeaving(true);
  await store.forget(); // before anything else is waited for: the session may have ended, and is not missed
  await import("./sync/push.js").then(({ unsubscribe }) => unsubscribe()).catch(() => {});
  await import("./model/growth-device.js").then((module) => module.forgetGrowthAnswers(), () => {});
  setAccount(null);
  await tellServer();
  location.replace("/");
}

const tellServer = () => post("/auth/logout", {}, { seconds: 5 }).then(() => setLeaving(false), (error) => error.status && setLeaving(false));

const Refused = () => html`
  <main class="doors">
    <${Head} title=${say("refused.title")} />
    <p class="soft">${say("refused.why")}</p>
    <${Again} />
  </main>
`;

const Missing = () => html`
  <main class="doors">
    <${Head} title=${say("not_fetched.title")} />
    <p class="soft">${say("not_fetched.why")}</p>
    <${Again} />
  </main>
`;

const Older = () => html`
  <main class="doors">
    <${Head} title=${say("older.title")} />
    <p class="soft">${say("older.why")}</p>
    <${Again} />
  </main>
`;

/** @type {Record<string, () => any>} */
const problems = { refused: Refused, missing: Missing, older: Older };

// A sign-out that couldn't reach the server is finished before anybody signs in.
const left = isLeaving() ? tellServer() : Promise.resolve();
look();
addEventListener("storage", ({ key }) => {
  if (key === "device" || key === null) look();
  if (who() !== before) location.reload(); // another tab signed in or out
});
const lookAtServer = () => document.visibilityState === "visible" && readServer();
document.addEventListener("visibilitychange", lookAtServer);
lookAtServer();
watchForUpdates();
navigator.serviceWorker?.addEventListener("message", ({ data }) => {
  if (data?.go) location.hash = `#/${data.go}`; // a notification was tapped
});
loadWords().then(keepWords).then(
  () => render(html`<${App} /><${Toasts} /><${Update} />`, /** @type {Element} */ (document.getElementById("app"))),
  () => document.body.append(/** @type {HTMLTemplateElement} */ (document.getElementById("wordless")).content),
);
