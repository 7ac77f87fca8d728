import { useSyncExternalStore } from "react";
import { flushSync } from "react-dom";

const listeners = new Set<() => void>();
let isPrinting = false;
let scheme: string | undefined;

/** Printing always uses the light scheme; rendering is synchronous, to finish before the browser takes its snapshot. */
function set(next: boolean): void {
  if (next === isPrinting) return;
  isPrinting = next;
  const { dataset } = document.documentElement;
  if (next) {
    scheme = dataset.mantineColorScheme;
    dataset.mantineColorScheme = "light";
  } else if (scheme !== undefined) dataset.mantineColorScheme = scheme;
  flushSync(() => {
    for (const listener of listeners) listener();
  });
}

// Pages are also prerendered, outside browsers.
globalThis.matchMedia?.("print").addEventListener("change", ({ matches }) => set(matches));
addEventListener("beforeprint", () => set(true));
addEventListener("afterprint", () => set(false));

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** True while the page is printed: then content that is collapsed on the screen is expanded. */
export function usePrinting(): boolean {
  return useSyncExternalStore(
    listen,
    () => isPrinting,
    () => false,
  );
}
