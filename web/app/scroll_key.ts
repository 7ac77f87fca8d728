import type { Location } from "react-router";

let ofDocument: string | undefined;

/** Of the history entry with which the document began. The entry keeps it when it is reloaded or reached by the back button. */
function keyOfDocument(): string {
  const scrollKey: string = history.state?.scrollKey ?? `loaded ${performance.timeOrigin}`;
  history.replaceState({ ...history.state, scrollKey }, "");
  return scrollKey;
}

/**
 * Under which key the scroll position of a history entry is kept. React Router calls the first entry of each document "default", so
 * a page that is loaded anew would begin where the one before it was left.
 */
export function scrollKeyOf({ key }: Location): string {
  if (key !== "default") return key;
  ofDocument ??= keyOfDocument();
  return ofDocument;
}
