// In the documents that come with a first screen, before the app: what is sent waits for it, but for the login, which is
// drawn with all that it may turn to. That is sent at once, as the app would, and what fails is said. The app takes over the
// rest: what is under way, and what is wrong.
import { type ApiError, post } from "../api/call.ts";
import type { Early, Meanwhile } from "./hydration_handover.ts";

function addLink(attributes: Record<string, string>): void {
  const link = document.createElement("link");
  for (const [name, value] of Object.entries(attributes)) link.setAttribute(name, value);
  document.head.append(link);
}

// Painted as a whole: what comes later in the document would move what came before. By script, as no standard of HTML that
// is checked against knows it yet.
addLink({ rel: "expect", href: "#boot-failure", blocking: "render" });

const undo: (() => void)[] = [];
let meanwhile: Meanwhile = {};
/** What had the focus when the form was sent: a button that waits is disabled, and loses it. */
let held: Element | null = null;
/** For failures by their code, once there is one. */
let words: Record<string, string> = {};

function isDrawn(): boolean {
  return document.getElementById("root")?.dataset.drawn !== undefined;
}

/** The form's parts in its other states. */
function drawnStates(): DocumentFragment | undefined {
  return document.querySelector<HTMLTemplateElement>("#early")?.content;
}

function asDrawn(): void {
  for (const step of undo.splice(0).reverse()) step();
}

function set(element: Element, name: string, value: string): void {
  const before = element.getAttribute(name);
  element.setAttribute(name, value);
  undo.push(() => (before === null ? element.removeAttribute(name) : element.setAttribute(name, before)));
}

/** Each element has its own. */
const OWN = ["id", "for", "aria-describedby"];

/** Makes an element look like another of its kind, which is drawn in the wanted state. */
function turn(element: Element, drawn: Element): void {
  for (const { name, value } of drawn.attributes) if (!OWN.includes(name)) set(element, name, value);
  let next = element.firstElementChild;
  for (const part of drawn.children) {
    if (next?.classList[0] === part.classList[0] && next) {
      turn(next, part);
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

/** Shows at a field what is wrong with it, as the component library does. */
function refuse(input: HTMLInputElement, code: string): void {
  const field = input.closest(FIELD);
  const wrong = drawnStates()?.querySelector(`[data-path="${input.dataset.path}"]`)?.closest(FIELD);
  if (!field || !wrong) return;
  turn(field, wrong);
  const message = field.lastElementChild as Element;
  message.id = `${input.id}-error`;
  message.textContent = words[code] ?? "";
  set(input, "aria-describedby", message.id);
}

/** Shows these errors at the fields and no others. Gives the first field that has one. */
function showAtFields(form: HTMLFormElement, errors: ApiError["fields"]): HTMLInputElement | undefined {
  asDrawn();
  const wrong = inputsOf(form).filter(({ dataset }) => errors[dataset.path ?? ""]);
  for (const input of wrong) refuse(input, errors[input.dataset.path ?? ""] as string);
  meanwhile = wrong.length > 0 ? { errors } : {};
  return wrong[0];
}

/** Drawn with the words for a server that cannot be reached; then there may be no others. */
function showAbove(code: string): void {
  const dialog = document.querySelector<HTMLDialogElement>("#early-failure");
  const [message, button] = dialog?.querySelectorAll<HTMLElement>("p, button") ?? [];
  if (!dialog || !message || !button) return;
  words.UNREACHABLE ??= message.textContent;
  message.textContent = words[code] ?? words.UNREACHABLE;
  button.onclick = () => dialog.close();
  dialog.showModal();
}

/** The app's own, whose file each document names: of all that it exports the catalogue of failures. */
async function findWords(): Promise<void> {
  const catalogues = await import("__WORDS__").then(Object.values, () => []);
  words = { ...words, ...catalogues.find(({ default: each }) => "GENERIC" in each)?.default };
}

function giveBackFocus(): void {
  if (document.activeElement === document.body) (held as HTMLElement | null)?.focus();
}

function send(form: HTMLFormElement): void {
  const [button, waiting] = [form, drawnStates()].map((place) => place?.querySelector('[type="submit"]'));
  held = document.activeElement;
  asDrawn();
  if (button && waiting) turn(button, waiting);
  const body = Object.fromEntries(inputsOf(form).map(({ dataset, value }) => [dataset.path, value]));
  const answer = post("/api/login", { body });
  meanwhile = { answer };
  // What succeeds leads to the next page, which is the app's.
  answer.catch(async ({ code, fields }: ApiError) => {
    await findWords();
    if (meanwhile.answer !== answer) return;
    const first = showAtFields(form, fields);
    if (first) return first.focus();
    giveBackFocus();
    showAbove(code);
  });
}

addEventListener("submit", (event) => {
  if (!isDrawn()) return;
  event.preventDefault();
  if (meanwhile.answer) return;
  if (drawnStates()) send(event.target as HTMLFormElement);
  else meanwhile = { isSent: true };
});

// What is typed anew is no longer wrong.
addEventListener("input", ({ target }) => {
  const { form, dataset } = target as HTMLInputElement;
  const { [dataset.path ?? ""]: former, ...others } = meanwhile.errors ?? {};
  if (former && form) showAtFields(form, others as ApiError["fields"]);
});

const early: Early = {
  end() {
    const done = meanwhile;
    meanwhile = {};
    asDrawn();
    if (done.answer) giveBackFocus();
    return done;
  },
};
Object.assign(globalThis, { early });

// Browsers open six connections to a server at most, where it speaks HTTP/1.1: one of them is for the form, and what the app
// needs last is asked for later.
const first = document.querySelector<HTMLLinkElement>('link[as="fetch"]');
first?.addEventListener("load", () => {
  for (const href of first.dataset.next?.split(" ") ?? [])
    addLink({ rel: "preload", as: "fetch", crossorigin: "", href });
});
