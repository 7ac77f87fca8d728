/**
 * Documents whose first screen is drawn while the app is built hold what depends on the installation between comments: all
 * ways to sign in with an account elsewhere. This keeps those that there are, by name, and takes the comments out.
 */
export function withProviders(html: string, providers: readonly string[]): string {
  return html
    .replace(/<!--providers-->(.*?)<!--\/providers-->/s, providers.length === 0 ? "" : "$1")
    .replaceAll(/<!--provider:(\w+)-->(.*?)<!--\/provider-->/gs, (_, name: string, button: string) =>
      providers.includes(name) ? button : "",
    )
    .replaceAll("__PROVIDERS__", providers.join(" "));
}
