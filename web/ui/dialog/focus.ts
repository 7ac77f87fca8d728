import { useLayoutEffect, useRef } from "react";

/** What had the focus last, and last outside of dialogs. A button that waits is disabled, and loses it without a word. */
let latest: Element | null = null;
let latestOnPage: Element | null = null;
addEventListener("focusin", ({ target }) => {
  if (!(target instanceof Element)) return;
  latest = target;
  if (!isInDialog(target)) latestOnPage = target;
});

function isInDialog(element: Element | null): boolean {
  return element !== null && element.closest('[role="dialog"]') !== null;
}

function focused(): Element | null {
  return document.activeElement === document.body ? latest : document.activeElement;
}

function focus(element: Element | null) {
  if (element instanceof HTMLElement) element.focus({ preventScroll: true });
}

/** What had the focus last outside of dialogs, also when it is gone by now. */
export function lastFocused(): Element | null {
  return latestOnPage;
}

/** Where the focus goes when a dialog has closed: to what opened it; where that is gone, to the page or its heading. */
function giveBack(origin: Element | null, held: Element | null) {
  const now = document.activeElement;
  if (now !== document.body && !(now === held && isInDialog(held))) return;
  const places = [origin, latestOnPage, document.querySelector("h1")];
  focus(places.find((place) => place?.isConnected) ?? null);
}

/** Mantine's own return of the focus forgets where it came from when dialogs are stacked. */
export function useFocusBack(opened: boolean): void {
  useLayoutEffect(() => {
    if (!opened) return;
    const origin = focused();
    return () => {
      const held = document.activeElement;
      setTimeout(() => giveBack(origin, held), 10);
    };
  }, [opened]);
}

/** Gives the focus back to a button that was disabled while it waited, unless something else has taken it. */
export function useFocusKept(pending: boolean): void {
  const held = useRef<Element>(null);
  useLayoutEffect(() => {
    if (pending) held.current = document.activeElement;
    else if (document.activeElement === document.body) focus(held.current);
  }, [pending]);
}
