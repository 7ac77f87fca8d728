import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { createIntl, type IntlShape } from "@formatjs/intl";
import { withFirst } from "../../shared/first_of_month.ts";
import { LANGUAGES, type Language, localeOf } from "../../shared/language.ts";
import { shownAddress } from "../../shared/shown_address.ts";
import type { TextParams, Translate } from "../ports.ts";

const LOCALES = join(import.meta.dirname, "../../../locales");

/** The files of a language by topic. */
function topicsIn(directory: string): Map<string, Buffer> {
  const files = readdirSync(directory).filter((file) => file.endsWith(".json"));
  return new Map(files.map((file) => [basename(file, ".json"), readFileSync(join(directory, file))]));
}

/** The messages of a file, with keys `<topic>.<key>`. */
function messagesOf(topic: string, file: Buffer | undefined): Record<string, string> {
  const words = file ? (JSON.parse(file.toString()) as Record<string, string>) : {};
  return Object.fromEntries(Object.entries(words).map(([key, message]) => [`${topic}.${key}`, message]));
}

const STYLES = ["short", "medium", "long", "full"];
const inUtc = Object.fromEntries(STYLES.map((style) => [style, { timeZone: "UTC" }]));

type DateFormats = IntlShape<string>["formatters"]["getDateTimeFormat"];

type DateFormat = ReturnType<DateFormats>;

/** The format with the language's ordinal for the first of a month. */
function withOrdinal(format: DateFormat, language: Language): DateFormat {
  const value: DateFormat["format"] = (date) => withFirst(format.format(date), language);
  return Object.defineProperty(Object.create(format) as DateFormat, "format", { value });
}

/** Caches formatters by the message's style object, whose identity is stable. */
function keeping(formatOf: DateFormats, language: Language): DateFormats {
  const kept = new Map<unknown, DateFormat>();
  return (locales, style) => {
    const format = kept.get(style) ?? withOrdinal(formatOf(locales, style), language);
    kept.set(style, format);
    return format;
  };
}

/** Addresses among the parameters in their readable form. */
function shownParams(params: TextParams): TextParams {
  const entries = Object.entries(params);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, typeof value === "string" ? shownAddress(value) : value]),
  );
}

type Words = { intl: IntlShape<string>; read: Map<string, ReadMessage> };
type ReadMessage = ReturnType<IntlShape<string>["formatters"]["getMessageFormat"]>;

/**
 * The translations of `locales/` with ICU MessageFormat. All files are loaded at start, as an upgrade may replace them; topics
 * are parsed on first use, as most are only needed by the browser. Messages are parsed once: `formatMessage` would rebuild its
 * formatters on every call, which takes longer than all other work on a mail.
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
    const words = { intl: createIntl({ locale: localeOf(language), messages }), read: new Map() };
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
    const message = intl.formatters.getMessageFormat(intl.messages[key] ?? "", localeOf(language), formats, {
      formatters: { ...intl.formatters, getDateTimeFormat: keeping(intl.formatters.getDateTimeFormat, language) },
    });
    read.set(key, message);
    return message;
  }

  const translate = (language: Language, key: string, params: TextParams = {}) =>
    String(readMessage(language, key).format(shownParams(params)));
  return Object.assign(translate, { has });
}
