/** The six languages of the interface, ISO 639-1. */
export const LANGUAGES = ["en", "fr", "de", "it", "es", "pt"] as const;
export type Language = (typeof LANGUAGES)[number];
export const FALLBACK_LANGUAGE: Language = "en";

/** The language's tag for formats and `lang` attributes: a bare "pt" is read as Brazilian Portuguese. */
export function localeOf(language: Language): string {
  return language === "pt" ? "pt-PT" : language;
}

export function isLanguage(value: unknown): value is Language {
  return LANGUAGES.includes(value as Language);
}

/** The best language for a list of tags in order of preference, such as `navigator.languages` or an Accept-Language. */
export function negotiateLanguage(tags: readonly string[]): Language {
  for (const tag of tags) {
    const primary = tag.trim().toLowerCase().split(/[-_;]/)[0];
    if (isLanguage(primary)) return primary;
  }
  return FALLBACK_LANGUAGE;
}
