import { isLanguage, type Language, negotiateLanguage } from "../../src/shared/language.ts";

/** The specification's local storage key. */
export const STORAGE_KEY = "selectedLanguage";

/** How languages call themselves. The browser knows it too, but takes long to look it up on the first page. */
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

/** Something that was meant as a language, such as `nl` or `en-US`: replaced, where another first step is a page. */
const LANGUAGE_TAG = /^[a-z]{2}([-_][a-z0-9]{2,8})*$/i;

/** Splits a path into its language and the rest; the prefix is undefined when missing or unsupported. */
export function splitPath(pathname: string): { language: Language | undefined; rest: string } {
  const [first = "", ...others] = pathname.split("/").filter((step) => step !== "");
  const rest = others.map((step) => `/${step}`).join("");
  if (isLanguage(first)) return { language: first, rest };
  if (LANGUAGE_TAG.test(first)) return { language: undefined, rest };
  return { language: undefined, rest: first === "" ? "" : `/${first}${rest}` };
}

/** Ends of lines: with one in it a path would fit none of the router's patterns, not even that of unknown pages. */
const LINE_END = /%0[ad]|%e2%80%a[89]/gi;

/** The path with a supported prefix: its own where it has one, else `preferred`. The empty path leads to login. */
export function localisedPath(pathname: string, preferred: Language): string {
  const { language, rest } = splitPath(pathname.replaceAll(LINE_END, ""));
  return `/${language ?? preferred}${rest === "" ? "/login" : rest}`;
}

/** The same page in another language. */
export function inLanguage(pathname: string, language: Language): string {
  return `/${language}${splitPath(pathname).rest}`;
}
