/** Validates an external URL for use in a link: https only, without credentials. */
export function secureLink(typed: string | undefined): string | undefined {
  const given = typed?.trim() ?? "";
  const url = /\s/.test(given) ? null : URL.parse(given);
  return url?.protocol === "https:" && url.username === "" && url.password === "" ? url.href : undefined;
}
