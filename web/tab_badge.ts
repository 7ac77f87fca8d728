import { useEffect, useSyncExternalStore } from "react";

let open = 0;
const listeners = new Set<() => void>();

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const current = () => open;

/** How many alerts are open, as the frame of signed-in people last heard. */
export function useOpenAlerts(): number {
  return useSyncExternalStore(listen, current, current);
}

/** An installed app wears the number on its icon. */
function wear(count: number): void {
  const badge = navigator as { setAppBadge?: (count: number) => Promise<void>; clearAppBadge?: () => Promise<void> };
  const answer = count > 0 ? badge.setAppBadge?.(count) : badge.clearAppBadge?.();
  // Refused where the app is not installed: then the tab alone tells.
  answer?.catch(() => undefined);
}

function set(count: number): void {
  if (count === open) return;
  open = count;
  const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"][type="image/svg+xml"]');
  icon?.setAttribute("href", count > 0 ? "/favicon-alert.svg" : "/favicon.svg");
  wear(count);
  for (const listener of listeners) listener();
}

/** Shows the number of open alerts on the browser's tab, until nobody is signed in here. */
export function useTabBadge(count: number): void {
  useEffect(() => set(count), [count]);
  useEffect(() => () => set(0), []);
}
