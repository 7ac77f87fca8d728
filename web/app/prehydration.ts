// The script of prerendered documents. A form that is submitted before hydration waits for the app, which sends it.
import type { Meanwhile, PrehydrationScript } from "./hydration_handover.ts";

function addLink(attributes: Record<string, string>): void {
  const link = document.createElement("link");
  for (const [name, value] of Object.entries(attributes)) link.setAttribute(name, value);
  document.head.append(link);
}

// Blocks rendering until the whole document is parsed, to avoid layout shifts. Added by script, because HTML validators
// do not know `rel="expect"` yet.
addLink({ rel: "expect", href: "#boot-failure", blocking: "render" });

let meanwhile: Meanwhile = {};
let submitted: HTMLFormElement | undefined;

/** Shows that a form is being sent, or no longer. */
function show(form: HTMLFormElement, isBusy: boolean): void {
  form.ariaBusy = isBusy ? "true" : null;
  form.style.cursor = isBusy ? "progress" : "";
  const button = form.querySelector<HTMLElement>('[type="submit"]');
  if (button) button.style.opacity = isBusy ? "0.6" : "";
}

addEventListener("submit", (event) => {
  if (document.getElementById("root")?.dataset.drawn === undefined) return;
  event.preventDefault();
  submitted = event.target as HTMLFormElement;
  show(submitted, true);
  meanwhile = { isSent: true };
});

const prehydration: PrehydrationScript = {
  end() {
    if (submitted) show(submitted, false);
    return meanwhile;
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
