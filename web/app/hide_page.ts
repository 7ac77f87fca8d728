/** Hides what is shown until it is known that its reader may still see it. */
export function veil(): void {
  document.documentElement.style.visibility = "hidden";
}

export function unveil(): void {
  document.documentElement.style.visibility = "";
}
