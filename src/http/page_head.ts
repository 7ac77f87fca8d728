import { parseAccept } from "hono/utils/accept";
import { isLanguage, type Language, localeOf, negotiateLanguage } from "../shared/language.ts";

/** Public pages that search engines may index. */
const FOR_EVERYBODY = ["login", "register", "terms-service", "privacy-notice", "service-status"];

/** What a request says about the page that it wants. */
type Asked = { path: string; acceptLanguage: string | undefined };

/** The language in the path, else the first accepted one that is supported. */
export function languageOf({ path, acceptLanguage = "" }: Asked): Language {
  const first = path.split("/")[1];
  if (isLanguage(first)) return first;
  const accepted = parseAccept(acceptLanguage).filter(({ q }) => q > 0);
  return negotiateLanguage(accepted.map(({ type }) => type));
}

/** Whether a search engine may index a page. */
export function mayBeIndexed(path: string): boolean {
  const [, language, page, ...more] = path.split("/");
  return isLanguage(language) && FOR_EVERYBODY.includes(page ?? "") && more.every((step) => step === "");
}

/** Fills the head of the app's page: its language, its description in that language, and absolute URLs for link previews. */
export function pageHead(index: string, manifests: ReadonlyMap<Language, { description: string }>, origin: string) {
  return (asked: Asked): string => {
    const language = languageOf(asked);
    const values: Record<string, string> = {
      __LANGUAGE__: language,
      __DESCRIPTION__: Bun.escapeHTML(manifests.get(language)?.description ?? ""),
      __ORIGIN__: Bun.escapeHTML(origin),
      __ROBOTS__: mayBeIndexed(asked.path) ? "index" : "noindex",
    };
    const filled = index.replaceAll(/__(?:LANGUAGE|DESCRIPTION|ORIGIN|ROBOTS)__/g, (token) => values[token] ?? token);
    return filled.replace('<html lang="en"', `<html lang="${localeOf(language)}"`);
  };
}
