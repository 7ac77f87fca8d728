/** The token of a link's fragment, `#t=<token>`; undefined when there is none. */
export function tokenOf(hash: string): string | undefined {
  return new URLSearchParams(hash.replace(/^#/, "")).get("t") || undefined;
}
