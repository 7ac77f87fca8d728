import { trusting } from "./trusted_types.ts";

const NAMES = "offline-";

/** Our one worker, and no other script. */
const worker = trusting("offline-worker", {
  createScriptURL(address: string): string {
    if (address !== "/offline_worker.js") throw new TypeError("Cannot be a worker of ours");
    return address;
  },
});

/**
 * Keeps a page of our own for when the server is out of reach. A build that has none, as in development, takes the worker of
 * an earlier one away, and what it kept.
 */
export async function keepOfflinePage(): Promise<void> {
  if (!("serviceWorker" in navigator)) return;
  const address = document.querySelector<HTMLMetaElement>('meta[name="offline-page"]')?.content;
  if (address !== undefined) {
    // Always asked for anew: an update must not wait for a cache. Where it is not allowed, the app does without.
    const script = worker.createScriptURL(address);
    await navigator.serviceWorker.register(script, { updateViaCache: "none" }).catch(() => undefined);
    return;
  }
  for (const registration of await navigator.serviceWorker.getRegistrations()) await registration.unregister();
  for (const name of await caches.keys()) if (name.startsWith(NAMES)) await caches.delete(name);
}
