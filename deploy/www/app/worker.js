// Keeps the app on the device: opened once, it opens without a network. Only the app's own files and the page at / are its business; what
// the API answers, the invitation pages and everything else go by it.

const VERSION = "/app/version/"; // of the content: a new version is a new cache
const SHELL = "SHELL";
const REST = "REST";
const WORDS = "WORDS"; // of each language; this device keeps the one that it speaks
const ALSO = ["/", "/assets/moon.svg", "/manifest.webmanifest"];

const opened = caches.open(VERSION);

self.addEventListener("install", (event) => {
  const install = async () => {
    const cache = await opened;
    const words = await wordsKept();
    await cache.addAll([...SHELL, ...words, ...ALSO.map((url) => new Request(url, { cache: "no-cache" }))]);
    if (self.registration.active) await keepRest(); // an update brings all of it: the old version's screens are about to go
    await self.skipWaiting();
  };
  event.waitUntil(install());
});

self.addEventListener("activate", (event) => {
  const activate = async () => {
    for (const name of await caches.keys()) {
      if (name !== VERSION) await caches.delete(name);
    }
    await self.clients.claim();
  };
  event.waitUntil(activate());
});

async function keepRest() {
  const cache = await opened;
  const kept = new Set((await cache.keys()).map(({ url }) => new URL(url).pathname));
  await cache.addAll(REST.filter((url) => !kept.has(url)));
}

/** Of the languages that any version kept here. */
async function wordsKept() {
  const kept = [];
  for (const name of await caches.keys()) {
    for (const { url } of await (await caches.open(name)).keys()) kept.push(url.replace(/^.*\/app\/[^/]+\//, ""));
  }
  return WORDS.filter((url) => kept.includes(url.slice(VERSION.length)));
}

async function keepWords(url) {
  const cache = await opened;
  if (!WORDS.includes(url)) return; // of another version
  if (!(await cache.match(url))) await cache.add(url);
  for (const other of WORDS) if (other !== url) await cache.delete(other);
}

self.addEventListener("message", (event) => {
  if (event.data === "rest") event.waitUntil(keepRest().catch(() => {}));
  if (event.data?.words) event.waitUntil(keepWords(event.data.words).catch(() => {}));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin) return;
  const isPage = request.mode === "navigate" && url.pathname === "/";
  if (!isPage && !url.pathname.startsWith("/app/") && !ALSO.slice(1).includes(url.pathname)) return;
  event.respondWith(answer(request, isPage ? "/" : url.pathname));
});

async function answer(request, path) {
  const cache = await opened;
  const kept = await cache.match(path);
  if (kept) return kept;
  const response = await fetch(request);
  if (response.ok && path.startsWith(VERSION)) cache.put(path, response.clone());
  return response;
}

// --- Notifications: the server's words, and where a tap on them leads. Nothing is marked as read by them.

const ACTIONS = { reminder: "log", dose: "give" };

self.addEventListener("push", (event) => {
  event.waitUntil(tell(read(event.data)));
});

/** What came, or nothing that can be read: a browser wants to see a notification for every push. */
function read(data) {
  try {
    return Object(data.json());
  } catch {
    return {};
  }
}

/** What the app says, by the catalog that is kept here; nothing where none is yet. */
async function words() {
  const cache = await opened;
  for (const url of WORDS) {
    const kept = await cache.match(url);
    if (kept) return (await kept.json()).app;
  }
  return {};
}

async function tell({ title = "Baby Basics", body, tag, ...about }) {
  const isNamed = about.kind === "dose" ? about.plan_id : about.event_kind;
  const said = await words();
  const action = isNamed && about.child_id && ACTIONS[about.kind];
  const named = said[`worker.${action}`];
  await self.registration.showNotification(title, {
    body: body ?? said["worker.something_new"], tag, data: about, icon: `${VERSION}icons/192.png`,
    // One that takes the place of another is heard if it is about what is due, and comes quietly otherwise.
    renotify: Boolean(tag && action),
    actions: named ? [{ action, title: named }] : [],
  });
}

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(routeOf(event.notification.data ?? {}, event.action)));
});

function routeOf({ family_id, child_id, event_kind, plan_id }, action) {
  const what = { log: ["log", event_kind], give: ["give", plan_id] }[action] ?? [];
  return ["open", family_id, child_id, ...what].filter(Boolean).join("/");
}

/** In the window that is there, or a new one. */
async function open(route) {
  const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const app = windows.find(({ url }) => new URL(url).pathname === "/");
  if (!app) return self.clients.openWindow(`/#/${route}`);
  app.postMessage({ go: route });
  return app.focus();
}

/** The browser made the subscription invalid: the server is told of a new one. */
self.addEventListener("pushsubscriptionchange", (event) => {
  event.waitUntil(subscribeAnew(event.newSubscription));
});

async function subscribeAnew(made) {
  const ask = async (path) => (await fetch(`/api/v1${path}`, { cache: "no-store" })).json();
  const { devices = [] } = await ask("/users/me/devices");
  if (!devices.some(({ current }) => current)) return; // removed elsewhere: it stays off
  const { server } = await ask("/server");
  if (!server.push_key) return;
  const key = atob(server.push_key.replace(/-/g, "+").replace(/_/g, "/"));
  const asked = { userVisibleOnly: true, applicationServerKey: Uint8Array.from(key, (one) => one.charCodeAt(0)) };
  const { endpoint, keys } = (made ?? (await self.registration.pushManager.subscribe(asked))).toJSON();
  const body = JSON.stringify({ type: "web_push", endpoint, keys });
  await fetch("/api/v1/users/me/devices", { method: "POST", headers: { "Content-Type": "application/json" }, body });
}
