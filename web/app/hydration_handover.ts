import type { FormErrors } from "@mantine/form";

/** What came of a form before the app listened to it. */
export type Meanwhile = {
  /** It was sent, and nobody has dealt with it. */
  isSent?: true;
  /** It was sent to the server, whose answer may be there or not. */
  answer?: Promise<unknown>;
  /** What the server has said of its fields. */
  errors?: FormErrors;
};
/** The document's own script (`prehydration.ts`): at its end everything looks as it was drawn. */
export type Early = { end(): Meanwhile };

type Typed = Meanwhile & { values: Record<string, unknown> };
type Shown = { path: string; providers: readonly string[] };

/** Until a form has taken it over. */
let typed: Typed | undefined;

function typedIn(field: HTMLInputElement | HTMLSelectElement): unknown {
  return field instanceof HTMLInputElement && field.type === "checkbox" ? field.checked : field.value;
}

/** Those of the component library stand in the head of a drawn document; the library itself has them in the body. */
function libraryStyles(): NodeListOf<Element> {
  return document.head.querySelectorAll("style[data-mantine-styles]");
}

/** Keeps what was done in the document's own first screen, and makes it ready to be taken over where it is the one to be shown. */
export function takeOver(root: HTMLElement, { path, providers }: Shown): boolean {
  if (root.dataset.drawn !== path) return false;
  root.prepend(...libraryStyles());
  const fields = [...root.querySelectorAll<HTMLInputElement | HTMLSelectElement>("[data-path]")];
  const values = Object.fromEntries(fields.map((field) => [field.dataset.path ?? "", typedIn(field)]));
  typed = { ...(globalThis as { early?: Early }).early?.end(), values };
  for (const element of root.querySelectorAll<HTMLElement>("[data-style]")) {
    element.style.cssText = element.dataset.style ?? "";
    delete element.dataset.style;
  }
  for (const element of root.querySelectorAll("[inert]")) element.removeAttribute("inert");
  return root.dataset.providers === providers.join(" ");
}

/** What the document came with is no longer what is shown, and what no form has taken over belongs to none. */
export function endDrawing(): void {
  typed = undefined;
  for (const style of libraryStyles()) style.remove();
  delete document.getElementById("root")?.dataset.drawn;
}

/** What was typed into a form, and came of it, before the app listened: once. */
export function typedBefore(): Typed | undefined {
  const kept = typed;
  typed = undefined;
  return kept;
}
