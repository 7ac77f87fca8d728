/** An address from outside that a link of ours may lead to: by https, and without a name and password in it. */
export function secureLink(typed: string | undefined): string | undefined {
  const given = typed?.trim() ?? "";
  const url = /\s/.test(given) ? null : URL.parse(given);
  return url?.protocol === "https:" && url.username === "" && url.password === "" ? url.href : undefined;
}
