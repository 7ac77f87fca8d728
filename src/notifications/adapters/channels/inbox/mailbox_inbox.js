// Brings in what is new, item by item, so that what is being read, selected or about to be pressed stays as it is.
const EVERY_MS = 1500;

/** A parsed page is no text, so that the policy has nothing against it; its scripts do not run. */
function load(address) {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.open("GET", address);
    request.responseType = "document";
    request.setRequestHeader("X-Unattended", "1");
    request.onloadend = () => resolve(request.status === 200 ? request.response : null);
    request.send();
  });
}

function renew(old, item) {
  const hadFocus = old.contains(document.activeElement);
  old.replaceWith(item);
  if (hadFocus) item.querySelector("button, a")?.focus();
}

function merge(list, next) {
  const wanted = [...next.children].map((item) => document.adoptNode(item));
  const ids = new Set(wanted.map(({ id }) => id));
  for (const item of [...list.children]) if (!ids.has(item.id)) item.remove();
  for (const [index, item] of wanted.entries()) {
    const old = document.getElementById(item.id);
    if (!old) list.insertBefore(item, list.children[index] ?? null);
    else if (old.outerHTML !== item.outerHTML) renew(old, item);
  }
}

async function refresh() {
  const next = await load(location.href);
  if (!next) return;
  for (const list of document.querySelectorAll("[data-live]")) {
    const brought = next.getElementById(list.id);
    if (brought) merge(list, brought);
  }
}

async function watch() {
  if (!document.hidden) await refresh();
  setTimeout(watch, EVERY_MS);
}

document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (!form.closest("[data-live]")) return;
  event.preventDefault();
  await fetch(form.action, { method: "POST", body: new URLSearchParams(new FormData(form)), redirect: "manual" });
  await refresh();
});
document.addEventListener("visibilitychange", () => void (document.hidden || refresh()));
setTimeout(watch, EVERY_MS);
