// The page for a server out of reach, in the language of the address, else the one chosen on this device, else the browser's.
(() => {
  const pages = [...document.querySelectorAll("main")];
  const languageOf = (tag) => tag.split("-")[0];
  const pageIn = (language) => pages.find((page) => languageOf(page.lang) === language);
  let stored;
  try {
    stored = localStorage.getItem("selectedLanguage");
  } catch {
    // Storage may be switched off; then the browser's languages hold.
  }
  const wished = [location.pathname.split("/")[1], stored, ...navigator.languages.map(languageOf)];
  const shown = pageIn(wished.find(pageIn) ?? "en");
  for (const page of pages) page.hidden = page !== shown;
  document.documentElement.lang = shown.lang;
  document.title = `${shown.querySelector("h1").textContent} · ${document.title}`;
  const again = () => location.reload();
  for (const button of document.querySelectorAll("button")) button.addEventListener("click", again);
  addEventListener("online", again);
  // A server that was away comes back without a word from the browser, and so does a network while this page was loading.
  let waitMs = 5000;
  const isThere = () =>
    fetch("/api/instance", { cache: "no-store" }).then(
      ({ ok }) => ok,
      () => false,
    );
  function lookLater() {
    setTimeout(async () => {
      if (navigator.onLine && !document.hidden && (await isThere())) again();
      else lookLater();
    }, waitMs);
    waitMs = Math.min(waitMs * 1.5, 60000);
  }
  lookLater();
})();
