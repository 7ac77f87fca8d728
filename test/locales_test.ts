import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type MessageFormatElement, parse, TYPE } from "@formatjs/icu-messageformat-parser";
import { BREACH_FLAGS, dataClassKey } from "../src/shared/breach.ts";
import { LANGUAGES, type Language } from "../src/shared/language.ts";
import { LOGIN_ERRORS, REGISTRATION_ERRORS } from "../src/shared/result.ts";

type Text = { language: Language; topic: string; key: string; value: string; parts: MessageFormatElement[] };

const ROOT = join(import.meta.dirname, "..");
const TRANSLATIONS = LANGUAGES.filter((language) => language !== "en");

/** Longer texts that are the same in English: names. */
const SAME_AS_ENGLISH: string[] = [];

/** Informal forms of address. The texts use Sie, vous, Lei, usted, você. */
const FAMILIAR: Partial<Record<Language, string>> = {
  de: "du|dich|dir|dein|deine|deinen|deinem|deiner|deines|euch|euer|eure|euren|eurem|eurer|eures",
  fr: "tu|toi|te|ton|ta|tes|tien|tienne|tiens|tiennes",
  it: "tu|te|ti|tuo|tua|tuoi|tue|voi|vostro|vostra|vostri|vostre",
  es: "tú|tu|tus|te|ti|contigo|tuyo|tuya|tuyos|tuyas|vosotros|vosotras|vuestro|vuestra|vuestros|vuestras|os",
  pt: "tu|te|ti|teu|tua|teus|tuas|contigo|vós|vosso|vossa|vossos|vossas",
};

function topicsOf(language: Language): string[] {
  return readdirSync(join(ROOT, "locales", language)).sort();
}

function sourceOf(language: Language, topic: string): string {
  return readFileSync(join(ROOT, "locales", language, topic), "utf8");
}

function keysOf(language: Language, topic: string): string[] {
  return Object.keys(JSON.parse(sourceOf(language, topic)));
}

const texts: Text[] = LANGUAGES.flatMap((language) =>
  topicsOf(language).flatMap((topic) =>
    Object.entries(JSON.parse(sourceOf(language, topic)) as Record<string, string>).map(([key, value]) => {
      try {
        return { language, topic, key, value, parts: parse(value) };
      } catch (error) {
        throw new Error(`Cannot parse "${key}" of locales/${language}/${topic}: "${value}"`, { cause: error });
      }
    }),
  ),
);
const english = new Map(
  texts.filter(({ language }) => language === "en").map((text) => [`${text.topic} ${text.key}`, text]),
);

/** A message's arguments with their types, the options of its selects, its tags. */
function argumentsOf(parts: MessageFormatElement[]): string[] {
  const found = parts.flatMap((part): string[] => {
    switch (part.type) {
      case TYPE.literal:
      case TYPE.pound:
        return [];
      case TYPE.tag:
        return [`<${part.value}>`, ...argumentsOf(part.children)];
      case TYPE.select: {
        const choices = Object.keys(part.options).sort().join("|");
        return [
          `{${part.value}, select ${choices}}`,
          ...Object.values(part.options).flatMap(({ value }) => argumentsOf(value)),
        ];
      }
      case TYPE.plural:
        return [
          `{${part.value}, ${part.pluralType}}`,
          ...Object.values(part.options).flatMap(({ value }) => argumentsOf(value)),
        ];
      default:
        return [`{${part.value}, ${TYPE[part.type]}}`];
    }
  });
  return [...new Set(found)].sort();
}

/** The plural forms that a message covers, without exact numbers such as "=0". */
function pluralsOf(parts: MessageFormatElement[]): { type: "cardinal" | "ordinal"; forms: string[] }[] {
  return parts.flatMap((part) => {
    if (part.type === TYPE.tag) return pluralsOf(part.children);
    if (part.type !== TYPE.plural && part.type !== TYPE.select) return [];
    const inner = Object.values(part.options).flatMap(({ value }) => pluralsOf(value));
    if (part.type === TYPE.select) return inner;
    const forms = Object.keys(part.options).filter((form) => !form.startsWith("="));
    return [{ type: part.pluralType ?? "cardinal", forms }, ...inner];
  });
}

/** The text as read, with "…" for arguments and "|" between options. */
function wordsOf(parts: MessageFormatElement[]): string {
  const words = parts.map((part) => {
    if (part.type === TYPE.literal) return part.value;
    if (part.type === TYPE.tag) return wordsOf(part.children);
    if (part.type !== TYPE.plural && part.type !== TYPE.select) return "…";
    return Object.values(part.options)
      .map(({ value }) => wordsOf(value))
      .join("|");
  });
  return words.join("");
}

/** The texts with a problem, as lines that name it. */
function offences(candidates: Text[], isWrong: (text: Text) => boolean): string[] {
  return candidates.filter(isWrong).map(({ language, topic, key, value }) => `${language}/${topic} ${key}: ${value}`);
}

const inLanguage = (wanted: Language) => texts.filter(({ language }) => language === wanted);

describe("locales", () => {
  test.each(LANGUAGES)("have the same topics in %s", (language) => {
    expect(topicsOf(language)).toEqual(topicsOf("en"));
    expect(topicsOf(language)).toContain("ui.json");
  });

  test.each(LANGUAGES)("have the same keys in %s, each once", (language) => {
    for (const topic of topicsOf("en")) {
      expect({ topic, keys: keysOf(language, topic).sort() }).toEqual({ topic, keys: keysOf("en", topic).sort() });
      // JSON silently lets the last of two equal keys win.
      const written = [...sourceOf(language, topic).matchAll(/"([^"\n]+)"\s*:/g)].map(([, key]) => key);
      expect({ topic, written: written.length }).toEqual({ topic, written: new Set(written).size });
    }
  });

  test.each(TRANSLATIONS)("have the same arguments, options and tags in %s", (language) => {
    const wrong = offences(inLanguage(language), ({ topic, key, parts }) => {
      const original = english.get(`${topic} ${key}`);
      return !Bun.deepEquals(argumentsOf(parts), argumentsOf(original?.parts ?? []));
    });
    expect(wrong).toEqual([]);
  });

  test.each(LANGUAGES)("have the plural forms of %s", (language) => {
    const wrong = offences(inLanguage(language), ({ parts }) =>
      pluralsOf(parts).some(({ type, forms }) => {
        const { pluralCategories } = new Intl.PluralRules(language, { type }).resolvedOptions();
        return forms.some((form) => !pluralCategories.includes(form as Intl.LDMLPluralRule)) || !forms.includes("one");
      }),
    );
    expect(wrong).toEqual([]);
  });
});

describe("locales/*/errors.json", () => {
  const [, union = ""] =
    /export type ErrorCode =([^;]+);/.exec(readFileSync(join(ROOT, "src/shared/result.ts"), "utf8")) ?? [];
  const codes = [
    ...LOGIN_ERRORS,
    ...REGISTRATION_ERRORS,
    ...[...union.matchAll(/\| "([A-Z_]+)"/g)].map(([, code = ""]) => code),
  ];

  test("has a sentence for every error code, and for nothing else", () => {
    expect(codes.length).toBeGreaterThan(40);
    for (const language of LANGUAGES) expect(keysOf(language, "errors.json").sort()).toEqual(codes.toSorted());
  });
});

describe("locales/*/flags.json", () => {
  test("has a label and an explanation for every breach flag, and for nothing else", () => {
    const keys = BREACH_FLAGS.flatMap((flag) => [flag, `${flag}_label`]);
    for (const language of LANGUAGES) expect(keysOf(language, "flags.json").sort()).toEqual(keys.toSorted());
  });
});

describe("locales/*/data_classes.json", () => {
  const path = join(ROOT, "src/breaches/adapters/sources/bundled/bundled_catalogue.json");
  const catalogue = JSON.parse(readFileSync(path, "utf8")) as { DataClasses: string[] }[];
  const labels = [...new Set(catalogue.flatMap(({ DataClasses }) => DataClasses))];

  test("has a name for every data category in the bundled catalogue", () => {
    expect(labels.length).toBeGreaterThan(120);
    for (const language of LANGUAGES) {
      const known = new Set(keysOf(language, "data_classes.json"));
      expect({ language, unknown: labels.filter((label) => !known.has(dataClassKey(label))) }).toEqual({
        language,
        unknown: [],
      });
    }
  });

  test("has keys as returned by dataClassKey()", () => {
    for (const key of keysOf("en", "data_classes.json")) expect(dataClassKey(key)).toBe(key);
  });

  test("has no two categories with the same name", () => {
    for (const language of LANGUAGES) {
      const words = Object.values(JSON.parse(sourceOf(language, "data_classes.json")) as Record<string, string>);
      const twice = words.filter((word, index) => words.indexOf(word) !== index);
      expect({ language, twice }).toEqual({ language, twice: [] });
    }
  });
});

describe("texts", () => {
  test("are neither empty nor their own key nor padded", () => {
    expect(offences(texts, ({ key, value }) => value === "" || value === key || value.trim() !== value)).toEqual([]);
    expect(offences(texts, ({ value }) => / {2}/.test(value))).toEqual([]);
  });

  test("have typographic apostrophes and quotation marks", () => {
    expect(offences(texts, ({ value }) => /['"]/.test(value))).toEqual([]);
  });

  test.each(TRANSLATIONS)("are not left in English in %s", (language) => {
    const wrong = offences(inLanguage(language), ({ topic, key, value, parts }) => {
      const isSentence = wordsOf(parts).replaceAll("…", "").length > 25;
      return isSentence && value === english.get(`${topic} ${key}`)?.value && !SAME_AS_ENGLISH.includes(key);
    });
    expect(wrong).toEqual([]);
  });

  test.each(TRANSLATIONS)("address people formally in %s", (language) => {
    const familiar = new RegExp(
      `(?<![\\p{L}\\p{N}])(?:${FAMILIAR[language]})(?![\\p{L}\\p{N}])|\\bt[’'](?=\\p{L})`,
      "iu",
    );
    expect(offences(inLanguage(language), ({ parts }) => familiar.test(wordsOf(parts)))).toEqual([]);
  });

  test("keep French punctuation with its word: a narrow space before ; ! ?, a wide one before : and inside « »", () => {
    const loose = /(?<!\u202f)[;!?]|(?<!\u00a0):(?!\/\/)|«(?!\u00a0)|(?<!\u00a0)»|\u202f(?![;!?\d])/u;
    expect(offences(inLanguage("fr"), ({ parts }) => loose.test(wordsOf(parts)))).toEqual([]);
  });

  test.each(LANGUAGES)("for accessible names contain the visible label in %s, for voice control", (language) => {
    const words = new Map(
      inLanguage(language).map(({ topic, key, value }) => [`${topic} ${key}`, value.toLowerCase()]),
    );
    const wrong = offences(inLanguage(language), ({ topic, key, value }) => {
      const seen = words.get(`${topic} ${key.replace(/_(label|to)$/, "")}`);
      return (
        /_(label|to)$/.test(key) && seen !== undefined && !seen.includes(".") && !value.toLowerCase().includes(seen)
      );
    });
    expect(wrong).toEqual([]);
  });

  test("begin Spanish questions and exclamations with their mark", () => {
    const wrong = offences(inLanguage("es"), ({ parts }) => {
      const words = wordsOf(parts);
      const count = (mark: string) => words.split(mark).length - 1;
      return count("?") !== count("¿") || count("!") !== count("¡");
    });
    expect(wrong).toEqual([]);
  });
});
