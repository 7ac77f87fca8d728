import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createIntl, createIntlCache } from "@formatjs/intl";
import { type Language, localeOf } from "../../src/shared/language.ts";

const cache = createIntlCache();

/** The texts of the screens in a language, so that journeys use what users read. */
export function wordsIn(language: Language): (key: string, values?: Record<string, string | number>) => string {
  const read = (topic: string) =>
    JSON.parse(readFileSync(join(import.meta.dirname, `../../locales/${language}/${topic}.json`), "utf8"));
  const topics = [
    "ui",
    "profile",
    "tracking",
    "consent",
    "monitoring",
    "letters",
    "alerts",
    "contacts",
    "billing",
    "support",
    "staff",
    "acceptance",
    "errors",
    "domains",
  ].map(read);
  const intl = createIntl({ locale: localeOf(language), messages: Object.assign({}, ...topics) }, cache);
  return (id, values) => {
    if (!(id in intl.messages)) throw new Error(`There is no text "${id}" in ${language}`);
    return intl.formatMessage({ id }, values);
  };
}
