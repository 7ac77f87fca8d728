/** What happened to a prerendered form before hydration. */
export type Meanwhile = {
  /** The form was submitted: the app sends it. */
  isSent?: true;
};
/** A request that was sent before hydration. */
export type SentBefore = { path: string; body: string; response: Promise<Response> };
/**
 * Interface of the prehydration script (`prehydration.ts`): `end()` restores the prerendered markup and returns what
 * happened.
 */
export type PrehydrationScript = { sent: SentBefore | undefined; end(): Meanwhile };

/** Whether a fragment is the token of a mailed link, on which the first screen depends. */
export const isLink = (hash: string): boolean => /^#(.*&)?t=[^&]/.test(hash);

const script = () => (globalThis as { prehydration?: PrehydrationScript }).prehydration;

type Typed = Meanwhile & { values: Record<string, unknown> };
type Address = { pathname: string; search: string; hash: string };

/** Until a form has taken it over. */
let typed: Typed | undefined;

function typedIn(field: HTMLInputElement | HTMLSelectElement): unknown {
  return field instanceof HTMLInputElement && field.type === "checkbox" ? field.checked : field.value;
}

/** A prerendered document has Mantine's style elements in its head; React expects them in the body. */
function libraryStyles(): NodeListOf<Element> {
  return document.head.querySelectorAll("style[data-mantine-styles]");
}

/** Whether a page that was prerendered for `drawn` is the one at this address. A fragment counts only if it is a link's token. */
function isDrawnFor(drawn: URL, { pathname, search, hash }: Address): boolean {
  const isSameQuery = drawn.search === "" || drawn.search === search;
  return drawn.pathname === pathname && isSameQuery && isLink(drawn.hash) === isLink(hash);
}

/**
 * Saves what was typed into the prerendered screen and restores the markup that React expects. Returns whether the page
 * can be hydrated.
 */
export function takeOver(root: HTMLElement, address: Address): boolean {
  const { drawn } = root.dataset;
  if (drawn === undefined || !isDrawnFor(new URL(drawn, location.origin), address)) return false;
  root.prepend(...libraryStyles());
  const fields = [...root.querySelectorAll<HTMLInputElement | HTMLSelectElement>("[data-path]")];
  const values = Object.fromEntries(fields.map((field) => [field.dataset.path ?? "", typedIn(field)]));
  typed = { ...script()?.end(), values };
  for (const element of root.querySelectorAll<HTMLElement>("[data-style]")) {
    element.style.cssText = element.dataset.style ?? "";
    delete element.dataset.style;
  }
  for (const element of root.querySelectorAll("[inert]")) element.removeAttribute("inert");
  return true;
}

/** Cleans up after hydration or rendering: removes the prerendered styles, and drops input that no form has restored. */
export function finishHydration(): void {
  typed = undefined;
  for (const style of libraryStyles()) style.remove();
  delete document.getElementById("root")?.dataset.drawn;
  delete document.documentElement.dataset.otherwise;
}

/** The response to this very request, if it was sent before hydration; on the first call only. */
export function takeSentBefore(path: string, body: string | undefined): Promise<Response> | undefined {
  const prehydration = script();
  const sent = prehydration?.sent;
  if (!prehydration || sent?.path !== path || sent.body !== body) return undefined;
  prehydration.sent = undefined;
  return sent.response;
}

/** The input and submission from before hydration, on the first call only. */
export function takePrehydrationInput(): Typed | undefined {
  const kept = typed;
  typed = undefined;
  return kept;
}
