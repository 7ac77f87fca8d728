// The prehydration script of prerendered documents. A form that is submitted before hydration is kept for the app; only
// the login is sent to the server right away, as its document contains the markup of its pending and error states. The
// app then takes over the pending request and the field errors.
import { type ApiError, post } from "../api/call.ts";
import type { Meanwhile, PrehydrationScript } from "./hydration_handover.ts";

function addLink(attributes: Record<string, string>): void {
  const link = document.createElement("link");
  for (const [name, value] of Object.entries(attributes)) link.setAttribute(name, value);
  document.head.append(link);
}

// Blocks rendering until the whole document is parsed, to avoid layout shifts. Added by script, because HTML validators
// do not know `rel="expect"` yet.
addLink({ rel: "expect", href: "#boot-failure", blocking: "render" });

const undo: (() => void)[] = [];
let meanwhile: Meanwhile = {};
/** The element that had the focus on submit: a pending button is disabled and loses it. */
let focusedOnSubmit: Element | null = null;
/** Error messages by code, once loaded. */
let messages: Record<string, string> = {};

function isPrerendered(): boolean {
  return document.getElementById("root")?.dataset.drawn !== undefined;
}

/** The markup of the form's pending and error states. */
function otherStates(): DocumentFragment | undefined {
  return document.querySelector<HTMLTemplateElement>("#early")?.content;
}

function restoreMarkup(): void {
  for (const step of undo.splice(0).reverse()) step();
}

function set(element: Element, name: string, value: string): void {
  const before = element.getAttribute(name);
  element.setAttribute(name, value);
  undo.push(() => (before === null ? element.removeAttribute(name) : element.setAttribute(name, before)));
}

/** Attributes that are unique to each element, so they are not copied. */
const UNIQUE_ATTRIBUTES = ["id", "for", "aria-describedby"];

/** Makes an element look like `template`, which was prerendered in the wanted state. */
function copyAppearance(element: Element, template: Element): void {
  for (const { name, value } of template.attributes) if (!UNIQUE_ATTRIBUTES.includes(name)) set(element, name, value);
  let next = element.firstElementChild;
  for (const part of template.children) {
    if (next?.classList[0] === part.classList[0] && next) {
      copyAppearance(next, part);
      next = next.nextElementSibling;
    } else {
      const added = part.cloneNode(true) as Element;
      element.insertBefore(added, next);
      undo.push(() => added.remove());
    }
  }
}

function inputsOf(form: HTMLFormElement): HTMLInputElement[] {
  return [...form.querySelectorAll<HTMLInputElement>("[data-path]")];
}

const FIELD = ".mantine-InputWrapper-root";

/** Shows an error at a field, with the same markup as the component library. */
function showFieldError(input: HTMLInputElement, code: string): void {
  const field = input.closest(FIELD);
  const wrong = otherStates()?.querySelector(`[data-path="${input.dataset.path}"]`)?.closest(FIELD);
  if (!field || !wrong) return;
  copyAppearance(field, wrong);
  const message = field.lastElementChild as Element;
  message.id = `${input.id}-error`;
  message.textContent = messages[code] ?? "";
  set(input, "aria-describedby", message.id);
}

/** Shows exactly these field errors. Returns the first field that has one. */
function showFieldErrors(form: HTMLFormElement, errors: ApiError["fields"]): HTMLInputElement | undefined {
  restoreMarkup();
  const wrong = inputsOf(form).filter(({ dataset }) => errors[dataset.path ?? ""]);
  for (const input of wrong) showFieldError(input, errors[input.dataset.path ?? ""] as string);
  meanwhile = wrong.length > 0 ? { errors } : {};
  return wrong[0];
}

/**
 * Shows an error in the prerendered dialog, which contains the message for an unreachable server; other messages may
 * not be available.
 */
function showDialog(code: string): void {
  const dialog = document.querySelector<HTMLDialogElement>("#early-failure");
  const [message, button] = dialog?.querySelectorAll<HTMLElement>("p, button") ?? [];
  if (!dialog || !message || !button) return;
  messages.UNREACHABLE ??= message.textContent;
  message.textContent = messages[code] ?? messages.UNREACHABLE;
  button.onclick = () => dialog.close();
  dialog.showModal();
}

/**
 * Imports the app's texts, whose file the document names; the catalogue of errors is the export that contains GENERIC.
 */
async function loadMessages(): Promise<void> {
  const catalogues = await import("__WORDS__").then(Object.values, () => []);
  messages = { ...messages, ...catalogues.find(({ default: each }) => "GENERIC" in each)?.default };
}

function restoreFocus(): void {
  if (document.activeElement === document.body) (focusedOnSubmit as HTMLElement | null)?.focus();
}

function send(form: HTMLFormElement): void {
  const [button, waiting] = [form, otherStates()].map((place) => place?.querySelector('[type="submit"]'));
  focusedOnSubmit = document.activeElement;
  restoreMarkup();
  if (button && waiting) copyAppearance(button, waiting);
  const body = Object.fromEntries(inputsOf(form).map(({ dataset, value }) => [dataset.path, value]));
  const answer = post("/api/login", { body });
  meanwhile = { answer };
  // A successful response leads to the next page, which the app handles after hydration.
  answer.catch(async ({ code, fields }: ApiError) => {
    await loadMessages();
    if (meanwhile.answer !== answer) return;
    const first = showFieldErrors(form, fields);
    if (first) return first.focus();
    restoreFocus();
    showDialog(code);
  });
}

addEventListener("submit", (event) => {
  if (!isPrerendered()) return;
  event.preventDefault();
  if (meanwhile.answer) return;
  if (otherStates()) send(event.target as HTMLFormElement);
  else meanwhile = { isSent: true };
});

// Editing a field clears its error.
addEventListener("input", ({ target }) => {
  const { form, dataset } = target as HTMLInputElement;
  const { [dataset.path ?? ""]: former, ...others } = meanwhile.errors ?? {};
  if (former && form) showFieldErrors(form, others as ApiError["fields"]);
});

const prehydration: PrehydrationScript = {
  end() {
    const done = meanwhile;
    meanwhile = {};
    restoreMarkup();
    if (done.answer) restoreFocus();
    return done;
  },
};
Object.assign(globalThis, { prehydration });

// With HTTP/1.1, browsers open at most six connections to a server. One is left free for the form, so the remaining
// preloads start only after the first has finished.
const first = document.querySelector<HTMLLinkElement>('link[as="fetch"]');
first?.addEventListener("load", () => {
  for (const href of first.dataset.next?.split(" ") ?? [])
    addLink({ rel: "preload", as: "fetch", crossorigin: "", href });
});
