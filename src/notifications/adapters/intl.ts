import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { createIntl, type IntlShape } from "@formatjs/intl";
import { LANGUAGES, type Language } from "../../shared/language.ts";
import type { TextParams, Translate } from "../ports.ts";

const LOCALES = join(import.meta.dirname, "../../../locales");

/** The topics of a language by their names, as their files are. */
function topicsIn(directory: string): Map<string, Buffer> {
  const files = readdirSync(directory).filter((file) => file.endsWith(".json"));
  return new Map(files.map((file) => [basename(file, ".json"), readFileSync(join(directory, file))]));
}

/** What a file says, with keys `<topic>.<key>`. */
function messagesOf(topic: string, file: Buffer | undefined): Record<string, string> {
  const words = file ? (JSON.parse(file.toString()) as Record<string, string>) : {};
  return Object.fromEntries(Object.entries(words).map(([key, message]) => [`${topic}.${key}`, message]));
}

/**
 * The words of `locales/` by ICU MessageFormat. All files are read at once, as an upgrade puts others in their place; of
 * the topics, most of which are for screens alone, those are understood that are asked for.
 */
export function intlTranslate(directory: string = LOCALES): Translate {
  const files = new Map(LANGUAGES.map((language) => [language, topicsIn(join(directory, language))]));
  const intls = new Map<string, IntlShape<string>>();
  const onError = (error: Error) => {
    throw error;
  };

  function intlOf(language: Language, key: string): IntlShape<string> {
    const topic = key.slice(0, Math.max(0, key.indexOf(".")));
    const known = intls.get(`${language} ${topic}`);
    if (known) return known;
    const topics = files.get(language);
    if (!topics) throw new Error(`Cannot translate: there is no catalogue for "${language}"`);
    const messages = messagesOf(topic, topics.get(topic));
    const intl = createIntl({ locale: language, messages, timeZone: "UTC", onError });
    intls.set(`${language} ${topic}`, intl);
    return intl;
  }

  function translate(language: Language, key: string, params: TextParams = {}): string {
    return intlOf(language, key).formatMessage({ id: key }, params);
  }
  return Object.assign(translate, {
    has: (language: Language, key: string) => Object.hasOwn(intlOf(language, key).messages, key),
  });
}
