import { useLayoutEffect, useRef } from "react";

/**
 * The element focused last, and last outside dialogs. A pending button is disabled and loses the focus without an
 * event.
 */
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

/** The element focused last outside dialogs, even if it is no longer in the page. */
export function lastFocused(): Element | null {
  return latestOnPage;
}

/** Where the focus goes after a dialog: to the element that opened it, or else to the page or its heading. */
function giveBack(origin: Element | null, held: Element | null) {
  const now = document.activeElement;
  if (now !== document.body && !(now === held && isInDialog(held))) return;
  const places = [origin, latestOnPage, document.querySelector("h1")];
  focus(places.find((place) => place?.isConnected) ?? null);
}

/** Mantine's own focus return fails with stacked dialogs. */
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

/** Returns the focus to a button that was disabled while pending, unless another element has taken it. */
export function useFocusKept(pending: boolean): void {
  const held = useRef<Element>(null);
  useLayoutEffect(() => {
    if (pending) held.current = document.activeElement;
    else if (document.activeElement === document.body) focus(held.current);
  }, [pending]);
}
