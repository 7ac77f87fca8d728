import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ADVICE_STEPS, COUNTRIES, stepsWordKey, wordKeysOf } from "../../src/shared/advice.ts";
import { ADVICE_KINDS, adviceKindOf, classesOf } from "../../src/shared/advice_kinds.ts";
import { stepsOf } from "../../src/shared/advice_steps.ts";
import { READINGS } from "../../src/shared/combined_risk.ts";
import { LANGUAGES, type Language } from "../../src/shared/language.ts";

const ROOT = join(import.meta.dirname, "../..");

function wordsOf(language: Language, topic: string): Record<string, string> {
  return JSON.parse(readFileSync(join(ROOT, "locales", language, `${topic}.json`), "utf8"));
}

const KEYS = Object.keys(wordsOf("en", "data_classes"));
const advised = LANGUAGES.map((language) => [language, wordsOf(language, "advice")] as const);

/** Every message key that advice can use. */
function stepKeys(): string[] {
  return ADVICE_STEPS.flatMap(wordKeysOf);
}

describe("adviceKindOf()", () => {
  test("assigns every data category to exactly one kind, and nothing else", () => {
    expect(KEYS.length).toBeGreaterThanOrEqual(169);
    expect(KEYS.filter((key) => adviceKindOf(key) === "general")).toEqual([]);
    expect(ADVICE_KINDS.flatMap(classesOf).toSorted()).toEqual(KEYS.toSorted());
  });

  test("has general advice for an unknown category", () => {
    expect(adviceKindOf("something-new")).toBe("general");
    for (const key of ["constructor", "__proto__", ""]) expect(adviceKindOf(key)).toBe("general");
  });

  test.each(advised)(
    "describes in %s what every category enables, and one to five steps, for any country",
    (_, words) => {
      const missing = [...KEYS, "something-new"].flatMap((key) => {
        const kind = adviceKindOf(key);
        const steps = stepsOf(kind);
        expect({ key, count: steps.length >= 1 && steps.length <= 5 }).toEqual({ key, count: true });
        expect(new Set(steps).size).toBe(steps.length);
        const asked = steps.flatMap((step) => [undefined, ...COUNTRIES].map((country) => stepsWordKey(step, country)));
        return [`enables.${kind}`, ...asked].filter((word) => !words[word]);
      });
      expect(missing).toEqual([]);
    },
  );
});

describe("locales/*/advice.json", () => {
  test.each(advised)("has no unused message in %s", (_, words) => {
    const labels = readFileSync(join(ROOT, "web/shared/advice_steps.tsx"), "utf8")
      .concat(readFileSync(join(ROOT, "web/shared/advice_enables.tsx"), "utf8"))
      .concat(readFileSync(join(ROOT, "web/ui/form/country_select.tsx"), "utf8"));
    const asked = new Set([
      ...ADVICE_KINDS.map((kind) => `enables.${kind}`),
      ...stepKeys(),
      ...[...labels.matchAll(/"(label\.\w+)"/g)].map(([, key = ""]) => key),
    ]);
    expect(Object.keys(words).toSorted()).toEqual([...asked].toSorted());
  });

  test("names every country where bank, documents, tax number or SIM card are affected", () => {
    for (const step of [
      "block_card",
      "check_debits",
      "id_authority",
      "tax_watch",
      "social_number",
      "sim_lock",
    ] as const) {
      for (const country of COUNTRIES) expect(stepsWordKey(step, country)).not.toBe(stepsWordKey(step));
    }
    expect(stepsWordKey("password", "CH")).toBe("step.password");
    expect(stepsWordKey("check_debits", "DE")).toBe(stepsWordKey("check_debits", "PT"));
  });

  test("differs for each country: no two variants of a step are the same", () => {
    for (const [language, words] of advised) {
      for (const step of ADVICE_STEPS) {
        const keys = Object.keys(words).filter((key) => key === `step.${step}` || key.startsWith(`step.${step}.`));
        const said = keys.map((key) => words[key]);
        expect({ language, step, distinct: new Set(said).size }).toEqual({ language, step, distinct: keys.length });
      }
    }
  });

  test("gives each country's numbers and websites identically in every language", () => {
    // Phone numbers and host names: three or more digits, and names with a dot.
    const facts = (text: string) =>
      (text.match(/\+?\d[\d ]{1,}\d|[\w@-]+(?:\.[a-z\d-]+)+(?:\/\w+)?/g) ?? []).toSorted();
    const english = wordsOf("en", "advice");
    for (const [language, words] of advised) {
      for (const key of stepKeys().filter((word) => /\.[A-Z]+$/.test(word)))
        expect({ language, key, facts: facts(words[key] ?? "") }).toEqual({
          language,
          key,
          facts: facts(english[key] ?? ""),
        });
    }
  });

  test.each(advised)("keeps each sentence in %s short", (_, words) => {
    const long = Object.entries(words).filter(([key, text]) => text.length > (/\.[A-Z]+$/.test(key) ? 260 : 220));
    expect(long).toEqual([]);
  });
});

describe("locales/*/together.json", () => {
  test.each([...LANGUAGES])(
    "has a title and a statement in %s for every combined reading, and for nothing else",
    (language) => {
      const files = ["web/shared/combined_risk.tsx", "web/breaches/monitoring_more.tsx"];
      const source = files.map((file) => readFileSync(join(ROOT, file), "utf8")).join("");
      const others = ["heading", "intro", "none", "from_together", "from_one", "rests_on", "more", "fewer"];
      for (const key of others) expect(source).toContain(`"${key}"`);
      const asked = READINGS.flatMap((reading) => [`title.${reading}`, `text.${reading}`]);
      expect(Object.keys(wordsOf(language, "together")).toSorted()).toEqual([...asked, ...others].toSorted());
    },
  );
});
