// Shows a page of our own when the server is out of reach, and the notifications of Web Push. Every other request goes its
// usual way, and no answer of the API is ever kept. A build of other files has another number, and so replaces this one.
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

// A browser that shows nothing for a push message may end the subscription, so an unreadable one shows the product's name.
function readNotification(data) {
  try {
    const { notification } = data.json();
    if (typeof notification.title === "string") return notification;
  } catch {
    // Falls through to the generic notification.
  }
  return { title: "Breachbell" };
}

async function showNotification(data) {
  const { title, body, lang, dir, tag, actions, navigate, data: proof } = readNotification(data);
  await self.registration.showNotification(title, {
    ...{ body, lang, dir, tag, icon: "/icon-192.png" },
    actions: actions?.map(({ action, title: label }) => ({ action, title: label })),
    data: { navigate, proof },
  });
  await showBadge();
}

// The number on the app's icon is that of the notifications not yet opened.
async function showBadge() {
  const open = await self.registration.getNotifications();
  await (open.length > 0 ? navigator.setAppBadge?.(open.length) : navigator.clearAppBadge?.());
}

async function noteSeen({ delivery, seen }) {
  const body = JSON.stringify({ delivery, mark: seen });
  await fetch("/api/push/seen", { method: "POST", headers: { "content-type": "application/json" }, body });
}

function pageOf(address) {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  return url?.origin === location.origin ? url.href : "/";
}

async function answerNotification({ action, notification }) {
  notification.close();
  const { navigate: address, proof } = notification.data ?? {};
  const seen = proof ? noteSeen(proof).catch(() => undefined) : undefined;
  if (action !== "seen") await self.clients.openWindow(pageOf(address));
  await seen;
  await showBadge();
}

self.addEventListener("push", (event) => event.waitUntil(showNotification(event.data)));
self.addEventListener("notificationclick", (event) => event.waitUntil(answerNotification(event)));
self.addEventListener("notificationclose", (event) => event.waitUntil(showBadge()));
