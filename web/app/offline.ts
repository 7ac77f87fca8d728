import { trusting } from "./trusted_types.ts";

const NAMES = "offline-";

/** Allows the address of our service worker and no other script. */
const worker = trusting("offline-worker", {
  createScriptURL(address: string): string {
    if (address !== "/offline_worker.js") throw new TypeError("Cannot be a worker of ours");
    return address;
  },
});

/**
 * Registers the service worker that shows an offline page. A build without one, as in development, unregisters the
 * worker of an earlier build and deletes its cache.
 */
export async function keepOfflinePage(): Promise<void> {
  if (!("serviceWorker" in navigator)) return;
  const address = document.querySelector<HTMLMetaElement>('meta[name="offline-page"]')?.content;
  if (address !== undefined) {
    // Bypasses the HTTP cache, so that updates take effect immediately. Where registration is not allowed, the app
    // works without it.
    const script = worker.createScriptURL(address);
    await navigator.serviceWorker.register(script, { updateViaCache: "none" }).catch(() => undefined);
    return;
  }
  for (const registration of await navigator.serviceWorker.getRegistrations()) await registration.unregister();
  for (const name of await caches.keys()) if (name.startsWith(NAMES)) await caches.delete(name);
}
