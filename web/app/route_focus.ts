import { useEffect, useRef } from "react";
import { useLocation, useNavigationType } from "react-router";
import { toast } from "sonner";
import { lastFocused } from "../ui/dialog/focus.ts";
import { useText } from "./i18n.tsx";
import { splitPath } from "./language.ts";
import { takeExpiry } from "./session.ts";

/** How long what a page fetches may take to come, until the focus stays where it is. */
const CONTENT_MS = 2000;

/** Where the focus was on the pages of this visit, by the key of their place in the history. */
const places = new Map<string, string>();

/** A selector that finds an element again when its page is built anew. */
function placeOf(element: Element | null): string | undefined {
  const attribute = ["id", "href", "aria-label", "name"].find((name) => {
    // Ids that the component library numbers are others the next time.
    const value = element?.getAttribute(name);
    return value && !(name === "id" && /mantine|^_r|:/.test(value));
  });
  if (!element || !attribute) return undefined;
  return `${element.localName}[${attribute}="${CSS.escape(element.getAttribute(attribute) ?? "")}"]`;
}

/** The heading takes the focus, so that it is read out, unless a field is all that is left to do; where a page has none yet, its main part. */
function focusHeading(): HTMLElement | null {
  const places = ["[data-arrival]", "h1", "main"].map((place) => document.querySelector<HTMLElement>(place));
  const target = places.find((place) => place !== null) ?? null;
  target?.focus({ preventScroll: true });
  return target;
}

/** Goes back to what had the focus on a page that the browser shows again, as soon as it is there. */
function focusAgain(place: string): () => void {
  const heading = focusHeading();
  function tryIt(): boolean {
    // Somebody went on meanwhile.
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

/** On arriving at another page: its title, the focus, and the notice of an expired session. */
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another page is an arrival, not a change of its query
  useEffect(() => {
    if (page === "/login" && takeExpiry()) toast.error(text("session.expired"));
    if (page === previous.current) return;
    previous.current = page;
    const place = kind === "POP" ? places.get(key) : undefined;
    if (place !== undefined) return focusAgain(place);
    focusHeading();
  }, [page]);
}
