import { useEffect } from "react";

/** The number of pending alerts that the signed-in frame has last received. */
let open = 0;

/** Sets the badge on the icon of an installed app. */
function setBadge(count: number): void {
  const badge = navigator as { setAppBadge?: (count: number) => Promise<void>; clearAppBadge?: () => Promise<void> };
  const answer = count > 0 ? badge.setAppBadge?.(count) : badge.clearAppBadge?.();
  // Rejected when the app is not installed; the tab's icon still shows the state.
  answer?.catch(() => undefined);
}

function set(count: number): void {
  if (count === open) return;
  open = count;
  const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"][type="image/svg+xml"]');
  icon?.setAttribute("href", count > 0 ? "/favicon-alert.svg" : "/favicon.svg");
  setBadge(count);
}

/** Marks the tab's icon and the installed app's badge while alerts are pending; cleared at logout. */
export function useTabBadge(count: number): void {
  useEffect(() => set(count), [count]);
  useEffect(() => () => set(0), []);
}
