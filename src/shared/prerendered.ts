/** The providers that prerendered pages know: an operator names the others. */
export const PRERENDERED_PROVIDERS = [
  { name: "google", label: "Google" },
  { name: "github", label: "GitHub" },
  { name: "microsoft", label: "Microsoft" },
] as const;

/** Whether prerendered pages can show exactly these providers. */
export function arePrerendered(providers: readonly string[]): boolean {
  return providers.every((name) => PRERENDERED_PROVIDERS.some((one) => one.name === name));
}

/**
 * Prerendered pages contain every way to sign in with another provider, each between comments, as the build does not know which
 * ones an installation offers. Keeps those in `providers`, by name, and removes the comments.
 */
export function withProviders(html: string, providers: readonly string[]): string {
  return html
    .replace(/<!--providers-->(.*?)<!--\/providers-->/s, providers.length === 0 ? "" : "$1")
    .replaceAll(/<!--provider:(\w+)-->(.*?)<!--\/provider-->/gs, (_, name: string, button: string) =>
      providers.includes(name) ? button : "",
    )
    .replaceAll("__PROVIDERS__", providers.join(" "));
}
