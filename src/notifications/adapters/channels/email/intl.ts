import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { createIntl, type IntlShape } from "@formatjs/intl";
import { LANGUAGES, type Language } from "../../../../shared/language.ts";
import type { TextParams, Translate } from "../../../ports.ts";

const LOCALES = join(import.meta.dirname, "../../../../../locales");

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

const STYLES = ["short", "medium", "long", "full"];
const inUtc = Object.fromEntries(STYLES.map((style) => [style, { timeZone: "UTC" }]));

type DateFormats = IntlShape<string>["formatters"]["getDateTimeFormat"];

/** By the style that a message has, which stays the same object. */
function keeping(formatOf: DateFormats): DateFormats {
  const kept = new Map<unknown, ReturnType<DateFormats>>();
  return (locales, style) => {
    const format = kept.get(style) ?? formatOf(locales, style);
    kept.set(style, format);
    return format;
  };
}

type Words = { intl: IntlShape<string>; read: Map<string, ReadMessage> };
type ReadMessage = ReturnType<IntlShape<string>["formatters"]["getMessageFormat"]>;

/**
 * The words of `locales/` by ICU MessageFormat. All files are read at once, as an upgrade puts others in their place; of
 * the topics, most of which are for screens alone, those are understood that are asked for. Each message is read once:
 * `formatMessage` puts its formats together anew for every word, which takes longer than all else that makes a mail.
 */
export function intlTranslate(directory: string = LOCALES): Translate {
  const files = new Map(LANGUAGES.map((language) => [language, topicsIn(join(directory, language))]));
  const all = new Map<string, Words>();

  function wordsOf(language: Language, key: string): Words {
    const topic = key.slice(0, Math.max(0, key.indexOf(".")));
    const known = all.get(`${language} ${topic}`);
    if (known) return known;
    const topics = files.get(language);
    if (!topics) throw new Error(`Cannot translate: there is no catalogue for "${language}"`);
    const messages = messagesOf(topic, topics.get(topic));
    const words = { intl: createIntl({ locale: language, messages }), read: new Map() };
    all.set(`${language} ${topic}`, words);
    return words;
  }

  const has = (language: Language, key: string) => Object.hasOwn(wordsOf(language, key).intl.messages, key);

  function readMessage(language: Language, key: string): ReadMessage {
    const { intl, read } = wordsOf(language, key);
    const known = read.get(key);
    if (known) return known;
    if (!has(language, key)) throw new Error(`Cannot translate: "${key}" has no words in "${language}"`);
    const formats = { date: inUtc, time: inUtc };
    const message = intl.formatters.getMessageFormat(intl.messages[key] ?? "", language, formats, {
      formatters: { ...intl.formatters, getDateTimeFormat: keeping(intl.formatters.getDateTimeFormat) },
    });
    read.set(key, message);
    return message;
  }

  const translate = (language: Language, key: string, params: TextParams = {}) =>
    String(readMessage(language, key).format(params));
  return Object.assign(translate, { has });
}
