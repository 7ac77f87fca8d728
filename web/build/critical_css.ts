/** Splits a style sheet into rules and statements: `head` is what precedes the brace, `body` its contents. */
function partsOf(css: string): { head: string; body: string | undefined }[] {
  const parts: { head: string; body: string | undefined }[] = [];
  let start = 0;
  let open = 0;
  let depth = 0;
  let quote = "";
  for (let at = 0; at < css.length; at++) {
    const letter = css[at] ?? "";
    if (letter === "\\") at++;
    else if (quote !== "") quote = letter === quote ? "" : quote;
    else if (letter === '"' || letter === "'") quote = letter;
    else if (letter === "{" && depth++ === 0) open = at;
    else if (letter === "}" && --depth === 0) {
      parts.push({ head: css.slice(start, open).trim(), body: css.slice(open + 1, at) });
      start = at + 1;
    } else if (letter === ";" && depth === 0) {
      parts.push({ head: css.slice(start, at).trim(), body: undefined });
      start = at + 1;
    }
  }
  return parts;
}

function namesIn(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, name]) => name ?? "");
}

/** Removes custom properties that neither the styles nor the page use, directly or indirectly. */
function withoutUnused(css: string, page: string): string {
  const used = new Set(namesIn(css + page, /var\((--[\w-]+)/g));
  const less = css
    .replaceAll(/(?<=[{;])(--[\w-]+):[^;{}]*(;|(?=\}))/g, (all, name: string) => (used.has(name) ? all : ""))
    .replaceAll(/[^{};]+\{\}/g, "");
  return less === css ? css : withoutUnused(less, page);
}

/**
 * The part of a style sheet that can apply to this markup: rules whose classes and attributes all occur in it, whatever
 * else they require, and the custom properties in use.
 */
export function criticalCss(css: string, markup: string): string {
  const classes = new Set(namesIn(markup, / class="([^"]*)"/g).flatMap((names) => names.split(/\s+/)));
  // Attributes of the document's root element are not part of the markup.
  const attributes = new Set(["data-mantine-color-scheme", "dir", "lang", ...namesIn(markup, / ([a-z-]+)(?==")/g)]);
  const concerns = (selector: string) => {
    const positive = selector.replaceAll(/:not\([^()]*(\([^()]*\))?[^()]*\)/g, "");
    const strange =
      namesIn(positive, /\.((?:[\w-]|\\.)+)/g).some((name) => !classes.has(name.replaceAll("\\", ""))) ||
      namesIn(positive, /\[([\w-]+)/g).some((name) => !attributes.has(name));
    return !strange;
  };
  const kept = (sheet: string): string =>
    partsOf(sheet)
      .map(({ head, body }) => {
        if (body === undefined) return head.startsWith("@") ? `${head};` : "";
        if (/^@(media|layer|supports|container)\b/.test(head)) {
          const inside = /print|forced-colors/.test(head) ? "" : kept(body);
          return inside === "" ? "" : `${head}{${inside}}`;
        }
        if (head.startsWith("@")) return "";
        return head.split(/,(?![^(]*\))/).some(concerns) ? `${head}{${body}}` : "";
      })
      .join("");
  return withoutUnused(kept(css), markup);
}
