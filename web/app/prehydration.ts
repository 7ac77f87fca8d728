// The script of prerendered documents. A form that is submitted before hydration waits for the app. If it names an action,
// its request is sent meanwhile, as the app takes longer to arrive than people to log in (`first-page` in the bench).
import { isLink, type Meanwhile, type PrehydrationScript, type SentBefore } from "./hydration_handover.ts";

function addLink(attributes: Record<string, string>): void {
  const link = document.createElement("link");
  for (const [name, value] of Object.entries(attributes)) link.setAttribute(name, value);
  document.head.append(link);
}

// Blocks rendering until the whole document is parsed, to avoid layout shifts. Added by script, because HTML validators
// do not know `rel="expect"` yet.
addLink({ rel: "expect", href: "#boot-failure", blocking: "render" });

function startApp(): void {
  const app = document.querySelector<HTMLTemplateElement>("#app");
  if (app) document.head.append(app.content);
  // A browser may draw a frame before it has read the whole head.
  else addEventListener("DOMContentLoaded", startApp);
}

// The app is loaded after the first paint, which it would delay on a slow processor. A page in the background is not painted.
if (document.hidden) addEventListener("DOMContentLoaded", startApp);
else requestAnimationFrame(() => setTimeout(startApp));

const first = document.querySelector<HTMLLinkElement>('link[as="fetch"]');
// A page that looks different with or without a mailed link was prerendered for the other case: hides its content until the
// app shows it (`styles.css`).
if (isLink(location.hash) !== isLink(first?.dataset.fragment ?? ""))
  document.documentElement.dataset.otherwise = "true";

const split = (list = "") => list.split(" ").filter((href) => href !== "");
let meanwhile: Meanwhile = {};
let submitted: HTMLFormElement | undefined;
let isOver = false;

/** Shows that a form is being sent, or no longer. */
function show(form: HTMLFormElement, isBusy: boolean): void {
  form.ariaBusy = isBusy ? "true" : null;
  form.style.cursor = isBusy ? "progress" : "";
  const button = form.querySelector<HTMLElement>('[type="submit"]');
  if (button) button.style.opacity = isBusy ? "0.6" : "";
}

/** Sends the form as the app would. */
function send(form: HTMLFormElement): SentBefore | undefined {
  const path = form.getAttribute("action");
  if (path === null) return undefined;
  const fields = [...form.querySelectorAll<HTMLInputElement>("[data-path]")];
  const body = JSON.stringify(Object.fromEntries(fields.map(({ dataset, value }) => [dataset.path, value])));
  const headers = { "Content-Type": "application/json" };
  return { path, body, response: fetch(path, { method: "POST", headers, credentials: "same-origin", body }) };
}

/** Whether the answer refuses the login for one reason, which the document has in its language. */
async function isRefused({ response }: SentBefore): Promise<boolean> {
  const answer = await response.then((one) => one.clone().json()).catch(() => undefined);
  return answer?.code === "CREDENTIALS_INVALID" && answer.fields === undefined;
}

/** Shows a refused login in the document's own dialog, as the app's would come seconds later on a slow phone. */
async function showRefusal(sent: SentBefore): Promise<void> {
  if (!(await isRefused(sent)) || isOver) return;
  prehydration.sent = undefined;
  meanwhile = {};
  if (submitted) show(submitted, false);
  submitted = undefined;
  const dialog = document.querySelector<HTMLDialogElement>("#root dialog");
  dialog?.querySelector("button")?.addEventListener("click", () => dialog.close());
  dialog?.showModal();
}

addEventListener("submit", (event) => {
  const form = event.target as HTMLFormElement;
  if (!form.closest("#root[data-drawn]")) return;
  event.preventDefault();
  // It is busy already.
  if (submitted) return;
  submitted = form;
  show(submitted, true);
  meanwhile = { isSent: true };
  prehydration.sent = send(form);
  if (prehydration.sent) void showRefusal(prehydration.sent);
  for (const href of split(first?.dataset.afterSubmission)) addLink({ rel: "modulepreload", crossorigin: "", href });
});

const prehydration: PrehydrationScript = {
  sent: undefined,
  end() {
    isOver = true;
    if (submitted) show(submitted, false);
    return meanwhile;
  },
};
Object.assign(globalThis, { prehydration });

// With HTTP/1.1, browsers open at most six connections to a server. One is left free for the form, so the remaining
// preloads start only after the first has finished.
first?.addEventListener("load", () => {
  for (const href of split(first.dataset.next)) addLink({ rel: "preload", as: "fetch", crossorigin: "", href });
});
