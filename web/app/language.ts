import { isLanguage, type Language, negotiateLanguage } from "../../src/shared/language.ts";

/** The specification's local storage key. */
export const STORAGE_KEY = "selectedLanguage";

/** The languages' own names. `Intl.DisplayNames` has them too, but is slow on the first page. */
export const LANGUAGE_NAMES: Record<Language, string> = {
  en: "English",
  fr: "Français",
  de: "Deutsch",
  it: "Italiano",
  es: "Español",
  pt: "Português",
};

/** The stored language, else the browser's, else English. */
export function preferredLanguage(stored: string | null, browser: readonly string[]): Language {
  return isLanguage(stored) ? stored : negotiateLanguage(browser);
}

/** Looks like a language, such as `nl` or `en-US`: then it is replaced. Any other first segment is a page. */
const LANGUAGE_TAG = /^[a-z]{2}([-_][a-z0-9]{2,8})*$/i;

/** Splits a path into its language and the rest; the prefix is undefined when missing or unsupported. */
export function splitPath(pathname: string): { language: Language | undefined; rest: string } {
  const [first = "", ...others] = pathname.split("/").filter((step) => step !== "");
  const rest = others.map((step) => `/${step}`).join("");
  if (isLanguage(first)) return { language: first, rest };
  if (LANGUAGE_TAG.test(first)) return { language: undefined, rest };
  return { language: undefined, rest: first === "" ? "" : `/${first}${rest}` };
}

/** Encoded line breaks: a path that contains one matches no route, not even the catch-all. */
const LINE_END = /%0[ad]|%e2%80%a[89]/gi;

/**
 * The path with a supported language prefix: its own if it has one, else `preferred`. The empty path becomes the login.
 */
export function localisedPath(pathname: string, preferred: Language): string {
  const { language, rest } = splitPath(pathname.replaceAll(LINE_END, ""));
  return `/${language ?? preferred}${rest === "" ? "/login" : rest}`;
}

/** The same page in another language. */
export function inLanguage(pathname: string, language: Language): string {
  return `/${language}${splitPath(pathname).rest}`;
}
