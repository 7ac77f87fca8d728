import { useEffect } from "react";

/** How many alerts are open, as the frame of signed-in people last heard. */
let open = 0;

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
}

/** Marks the tab's icon while alerts are open, and numbers the installed app's, until nobody is signed in here. */
export function useTabBadge(count: number): void {
  useEffect(() => set(count), [count]);
  useEffect(() => () => set(0), []);
}
