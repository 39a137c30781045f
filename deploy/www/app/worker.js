// Keeps the app on the device: opened once, it opens without a network. Only the app's own files and the page at / are its business; what
// the API answers, the invitation pages and everything else go by it.

const VERSION = "/app/version/"; // of the content: a new version is a new cache
const SHELL = "SHELL";
const REST = "REST";
const ALSO = ["/", "/assets/moon.svg", "/manifest.webmanifest"];

const opened = caches.open(VERSION);

self.addEventListener("install", (event) => {
  const install = async () => {
    const cache = await opened;
    await cache.addAll([...SHELL, ...ALSO.map((url) => new Request(url, { cache: "no-cache" }))]);
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

self.addEventListener("message", (event) => {
  if (event.data === "rest") event.waitUntil(keepRest().catch(() => {}));
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
