// Shows a page of our own when the server is out of reach, and does nothing else: every other request goes its usual way,
// and no answer of the API is ever kept. A build of other files has another number, and so replaces this one.
const NAME = "offline-__NUMBER__";
const PAGE = "/offline.html";
const FILES = [PAGE, "/offline.css", "/offline.js", "/theme.js", "/favicon.svg"];

async function keep() {
  const cache = await caches.open(NAME);
  await cache.addAll(FILES.map((path) => new Request(path, { cache: "reload" })));
}

async function forgetFormer() {
  const names = await caches.keys();
  await Promise.all(
    names.filter((name) => name.startsWith("offline-") && name !== NAME).map((name) => caches.delete(name)),
  );
  await self.registration.navigationPreload?.enable();
}

async function kept(path, failure) {
  const found = await caches.match(path, { cacheName: NAME });
  if (found === undefined) throw failure;
  return found;
}

async function navigate(event) {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request));
  } catch (failure) {
    return kept(PAGE, failure);
  }
}

self.addEventListener("install", (event) => event.waitUntil(keep().then(() => self.skipWaiting())));
self.addEventListener("activate", (event) => event.waitUntil(forgetFormer()));
self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin || pathname.startsWith("/api/")) return;
  if (request.mode === "navigate") event.respondWith(navigate(event));
  else if (FILES.includes(pathname)) event.respondWith(fetch(request).catch((failure) => kept(pathname, failure)));
});
