import { useLayoutEffect } from "react";

/**
 * The element focused last, and last on the page itself. A pending button is disabled and loses the focus without an
 * event.
 */
let latest: Element | null = null;
let latestOnPage: Element | null = null;
/** The element that was disabled while it had the focus. */
let held: Element | null = null;

/** How long a disabled button without a loading state counts as pending. */
const PENDING_MS = 500;
const OVERLAYS = '[role="dialog"], [role="menu"]';
const CONTROLS = 'a[href], :is(button, input, select, textarea):enabled, [tabindex="0"]';

addEventListener("focusin", ({ target }) => {
  if (!(target instanceof Element)) return;
  latest = target;
  if (!target.closest(OVERLAYS)) latestOnPage = target;
});
addEventListener("pointerdown", ({ target }) => {
  // A click beside all controls leaves the focused one on purpose.
  if (target instanceof Element && !target.closest(`${CONTROLS}, label`)) latest = null;
});
// Absent where pages are prerendered.
if (typeof MutationObserver !== "undefined")
  new MutationObserver((changes) => {
    followRemoved(changes);
    keepDisabled();
  }).observe(document, { subtree: true, childList: true, attributeFilter: ["disabled", "data-loading"] });

function isUsable(element: Element | null | undefined): element is Element {
  return !!element?.isConnected && !element.matches(":disabled") && element.getClientRects().length > 0;
}

function controlsIn(element: Element): Element[] {
  return [...element.querySelectorAll(CONTROLS)];
}

/** Returns the focus to a pending button once it is enabled; from one that stays disabled it goes to its neighbour. */
function keepDisabled(): void {
  const { activeElement, body } = document;
  if (!latest?.isConnected || (activeElement !== body && activeElement !== latest)) {
    held = null;
  } else if (latest.matches(":disabled")) {
    held = latest;
    if (!latest.hasAttribute("data-loading")) setTimeout(leaveDisabled, PENDING_MS, latest);
  } else if (held === latest) {
    held = null;
    if (activeElement === body) focus(latest);
  }
}

function leaveDisabled(element: Element): void {
  if (held === element && latest === element && element.matches(":disabled:not([data-loading])"))
    focus(neighbourOf(element));
}

/** The closest control that can be used: the next one in the smallest group that has others, or else the last before. */
function neighbourOf(element: Element): Element | null {
  for (let group = element.parentElement; group !== null; group = group.parentElement) {
    const others = controlsIn(group).filter(isUsable);
    const isBehind = (other: Element) => element.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING;
    if (others.length > 0) return others.find(isBehind) ?? others.at(-1) ?? null;
    if (group.matches("main, [role=dialog]")) return null;
  }
  return null;
}

/** When the focused element is removed, the focus goes to what has taken its place, unless the page has changed. */
function followRemoved(changes: MutationRecord[]): void {
  const lost = latestOnPage;
  if (lost === null || lost.isConnected) return;
  const removed = changes.flatMap((change) => [...change.removedNodes].map((node) => ({ change, node })));
  const isPageGone = removed.some(
    ({ node }) => node instanceof Element && (node.matches("h1") || node.querySelector("h1")),
  );
  const found = removed.find(({ change, node }) => change.target.isConnected && node.contains(lost));
  if (isPageGone || found === undefined) return;
  const next = sameInNextRow(lost, found) ?? headingBefore(found.change);
  if (next === null) return;
  latestOnPage = next;
  if (latest === lost && document.activeElement === document.body) focus(next);
}

type Removal = { change: MutationRecord; node: Node };

/** The same control in the row that followed the removed one, or else in the row before it. */
function sameInNextRow(lost: Element, { change, node }: Removal): Element | null {
  if (!(node instanceof Element && node.matches("li, tr"))) return null;
  const rows = [change.nextSibling, change.previousSibling, change.target.lastChild];
  const row = rows.find((one) => one instanceof Element && one.isConnected && one.localName === node.localName);
  if (!(row instanceof Element)) return null;
  const stops = controlsIn(row);
  const former = controlsIn(node);
  // Counted from the end, as the content before the buttons can have links.
  const same = stops.at(former.indexOf(lost) - former.length);
  return [same, ...stops].find(isUsable) ?? null;
}

/** The heading of the part that something was removed from. */
function headingBefore({ target, previousSibling }: MutationRecord): Element | null {
  const place = previousSibling?.isConnected ? previousSibling : target;
  const isBefore = (heading: Element) =>
    (place !== target && place.contains(heading)) ||
    place.compareDocumentPosition(heading) === Node.DOCUMENT_POSITION_PRECEDING;
  const headings = [...document.querySelectorAll("main :is(h1, h2, h3)")].filter(isUsable);
  const heading = headings.findLast(isBefore) ?? null;
  if (heading && !heading.hasAttribute("tabindex")) heading.setAttribute("tabindex", "-1");
  return heading;
}

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
  const places = [origin, latestOnPage].filter((place) => place?.isConnected);
  const disabled = places.find((place) => place?.matches(":disabled")) ?? null;
  focus(places.find(isUsable) ?? (disabled && neighbourOf(disabled)) ?? document.querySelector("h1"));
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
