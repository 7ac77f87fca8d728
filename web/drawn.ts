/** A page whose first screen came with its document, until a form has taken over what was done in it meanwhile. */
let isTakingOver = false;

type Shown = { path: string; providers: readonly string[] };

/** Makes the document's own first screen ready to be taken over, where it is the one to be shown. */
export function takeOver(root: HTMLElement, { path, providers }: Shown): boolean {
  if (root.dataset.drawn !== path || root.dataset.providers !== providers.join(" ")) return false;
  for (const element of root.querySelectorAll<HTMLElement>("[data-style]")) {
    element.style.cssText = element.dataset.style ?? "";
    delete element.dataset.style;
  }
  for (const element of root.querySelectorAll("[inert]")) element.removeAttribute("inert");
  isTakingOver = true;
  return true;
}

/** What the document came with is no longer what is shown. */
export function endDrawing(): void {
  delete document.getElementById("root")?.dataset.drawn;
}

type Typed = { values: Record<string, unknown>; sent: boolean };

function typedIn(field: HTMLInputElement | HTMLSelectElement): unknown {
  return field instanceof HTMLInputElement && field.type === "checkbox" ? field.checked : field.value;
}

/** What was typed into a form, and whether it was sent, before there was a script to hear of it: once. */
export function typedBefore(form: HTMLFormElement | null): Typed | undefined {
  if (!isTakingOver || form === null) return undefined;
  isTakingOver = false;
  const fields = [...form.querySelectorAll<HTMLInputElement | HTMLSelectElement>("[data-path]")];
  const values = Object.fromEntries(fields.map((field) => [field.dataset.path ?? "", typedIn(field)]));
  const sent = document.getElementById("root")?.dataset.sent !== undefined;
  endDrawing();
  return { values, sent };
}
