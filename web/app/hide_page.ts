/** Hides what is shown until it is known that its reader may still see it. */
export function hidePage(): void {
  document.documentElement.style.visibility = "hidden";
}

export function showPage(): void {
  document.documentElement.style.visibility = "";
}
