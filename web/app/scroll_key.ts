import type { Location } from "react-router";

let ofDocument: string | undefined;

/** The key of the document's first history entry. It is kept in the entry's state, which survives a reload and the back button. */
function keyOfDocument(): string {
  const scrollKey: string = history.state?.scrollKey ?? `loaded ${performance.timeOrigin}`;
  history.replaceState({ ...history.state, scrollKey }, "");
  return scrollKey;
}

/**
 * The key under which the scroll position of a history entry is stored. React Router uses "default" for the first entry of every
 * document, so a newly loaded page would begin at the scroll position of the previous one.
 */
export function scrollKeyOf({ key }: Location): string {
  if (key !== "default") return key;
  ofDocument ??= keyOfDocument();
  return ofDocument;
}
