import { useEffect, useRef } from "react";
import { useLocation, useNavigationType } from "react-router";
import { toast } from "sonner";
import { lastFocused } from "../ui/dialog/focus.ts";
import { useText } from "./i18n.tsx";
import { splitPath } from "./language.ts";
import { takeExpiry } from "./session.ts";

/** How long to wait for fetched content before giving up on restoring the focus. */
const CONTENT_MS = 2000;

/** The last focused element (as a selector) of each history entry, by its key. */
const places = new Map<string, string>();

/** A selector that finds the same element after its page is rendered again. */
function placeOf(element: Element | null): string | undefined {
  const attribute = ["id", "href", "aria-label", "name"].find((name) => {
    // Generated ids differ with each rendering.
    const value = element?.getAttribute(name);
    return value && !(name === "id" && /mantine|^_r|:/.test(value));
  });
  if (!element || !attribute) return undefined;
  return `${element.localName}[${attribute}="${CSS.escape(element.getAttribute(attribute) ?? "")}"]`;
}

/**
 * Focuses the heading, so that screen readers announce it; a page can mark a field with `data-arrival` instead, and the
 * main element is the fallback.
 */
function focusHeading(): HTMLElement | null {
  const places = ["[data-arrival]", "h1", "main"].map((place) => document.querySelector<HTMLElement>(place));
  const target = places.find((place) => place !== null) ?? null;
  target?.focus({ preventScroll: true });
  return target;
}

/**
 * Restores the focus on a page that is revisited through the history, as soon as the element is rendered. Returns a
 * function that cancels it.
 */
function focusAgain(place: string): () => void {
  const heading = focusHeading();
  function tryIt(): boolean {
    // The user has moved the focus meanwhile.
    if (document.activeElement !== heading && document.activeElement !== document.body) return true;
    const element = document.querySelector<HTMLElement>(`main ${place}`) ?? document.querySelector<HTMLElement>(place);
    element?.focus({ preventScroll: true });
    return element !== null;
  }
  if (tryIt()) return () => undefined;
  const watch = new MutationObserver(() => tryIt() && watch.disconnect());
  watch.observe(document.body, { childList: true, subtree: true });
  const end = setTimeout(() => watch.disconnect(), CONTENT_MS);
  return () => {
    watch.disconnect();
    clearTimeout(end);
  };
}

/** Sets the title; after a navigation also manages the focus and shows the notice of an expired session. */
export function useArrival(title: string): void {
  const { pathname, key } = useLocation();
  const kind = useNavigationType();
  const page = splitPath(pathname).rest;
  const previous = useRef(page);
  const text = useText();
  useEffect(() => {
    document.title = title;
  }, [title]);
  useEffect(() => {
    return () => {
      const place = placeOf(lastFocused());
      if (place !== undefined) places.set(key, place);
    };
  }, [key]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another page counts as a navigation, not a change of its query
  useEffect(() => {
    if (page === "/login" && takeExpiry()) toast.error(text("session.expired"));
    if (page === previous.current) return;
    previous.current = page;
    const place = kind === "POP" ? places.get(key) : undefined;
    if (place !== undefined) return focusAgain(place);
    focusHeading();
  }, [page]);
}
