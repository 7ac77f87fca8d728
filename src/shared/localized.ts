import { FALLBACK_LANGUAGE, type Language } from "./language.ts";

/** Words that the operator writes: always in English, in other languages where there was time. */
export type Localized = { en: string } & { [Other in Exclude<Language, "en">]?: string | undefined };

/** What somebody with this language reads, and which language it is in. */
export function inLanguage(words: Localized, language: Language): { text: string; language: Language } {
  const own = words[language];
  return own === undefined ? { text: words.en, language: FALLBACK_LANGUAGE } : { text: own, language };
}
