const { style } = document.documentElement;

/** Hides what is shown until it is known that its reader may still see it. */
export function veil(): void {
  style.visibility = "hidden";
}

export function unveil(): void {
  style.visibility = "";
}
