// The page for a server out of reach, in the language of the address, else the one chosen on this device, else the browser's.
(() => {
  const pages = [...document.querySelectorAll("main")];
  const has = (language) => pages.some((page) => page.lang === language);
  let stored;
  try {
    stored = localStorage.getItem("selectedLanguage");
  } catch {
    // Storage may be switched off; then the browser's languages hold.
  }
  const wished = [location.pathname.split("/")[1], stored, ...navigator.languages.map((tag) => tag.split("-")[0])];
  const language = wished.find(has) ?? "en";
  for (const page of pages) page.hidden = page.lang !== language;
  const shown = document.querySelector("main:not([hidden])");
  document.documentElement.lang = language;
  document.title = `${shown.querySelector("h1").textContent} · ${document.title}`;
  const again = () => location.reload();
  for (const button of document.querySelectorAll("button")) button.addEventListener("click", again);
  addEventListener("online", again);
})();
