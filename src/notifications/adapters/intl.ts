import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { createIntl, type IntlShape } from "@formatjs/intl";
import { LANGUAGES, type Language } from "../../shared/language.ts";
import type { TextParams, Translate } from "../ports.ts";

const LOCALES = join(import.meta.dirname, "../../../locales");

/** All topics of a language as one catalogue with keys `<topic>.<key>`. */
function catalogueOf(directory: string): Record<string, string> {
  const topics = readdirSync(directory).filter((file) => file.endsWith(".json"));
  return Object.fromEntries(
    topics.flatMap((file) => {
      const words = JSON.parse(readFileSync(join(directory, file), "utf8")) as Record<string, string>;
      return Object.entries(words).map(([key, message]) => [`${basename(file, ".json")}.${key}`, message]);
    }),
  );
}

/** The words of `locales/` by ICU MessageFormat. Six catalogues, read once. */
export function intlTranslate(directory: string = LOCALES): Translate {
  const intls = new Map<Language, IntlShape<string>>();
  for (const language of LANGUAGES) {
    const messages = catalogueOf(join(directory, language));
    const onError = (error: Error) => {
      throw error;
    };
    intls.set(language, createIntl({ locale: language, messages, timeZone: "UTC", onError }));
  }

  function intlOf(language: Language): IntlShape<string> {
    const intl = intls.get(language);
    if (!intl) throw new Error(`Cannot translate: there is no catalogue for "${language}"`);
    return intl;
  }

  function translate(language: Language, key: string, params: TextParams = {}): string {
    return intlOf(language).formatMessage({ id: key }, params);
  }
  return Object.assign(translate, {
    has: (language: Language, key: string) => Object.hasOwn(intlOf(language).messages, key),
  });
}
