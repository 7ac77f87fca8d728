import { FALLBACK_LANGUAGE, type Language } from "./language.ts";

/** A text of the operator's: always in English, in other languages optionally. */
export type Localized = { en: string } & { [Other in Exclude<Language, "en">]?: string | undefined };

/** The text in the reader's language, or else in English, with the language that it is in. */
export function inLanguage(words: Localized, language: Language): { text: string; language: Language } {
  const own = words[language];
  return own === undefined ? { text: words.en, language: FALLBACK_LANGUAGE } : { text: own, language };
}
