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
