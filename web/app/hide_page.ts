/** Hides the page until the session check has finished. */
export function hidePage(): void {
  document.documentElement.style.visibility = "hidden";
}

export function showPage(): void {
  document.documentElement.style.visibility = "";
}
