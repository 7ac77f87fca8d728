import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { dataClassKey } from "../../src/shared/breach.ts";
import { isId } from "../../src/shared/id.ts";
import { isLanguage, LANGUAGES, localeOf, negotiateLanguage } from "../../src/shared/language.ts";
import { fail, ok } from "../../src/shared/result.ts";

const SRC = join(import.meta.dir, "../../src");

describe("negotiateLanguage()", () => {
  test.each([
    [[], "en"],
    [["de"], "de"],
    [["de-CH", "fr"], "de"],
    [["PT_BR"], "pt"],
    [["ja", "ko-KR", "it-CH"], "it"],
    [["ja"], "en"],
    [[" es;q=0.9"], "es"],
    [["", "*", "x"], "en"],
    [["english"], "en"],
    [["deutsch", "fr"], "fr"],
  ] as const)("finds in %j the language %s", (tags, language) => {
    expect(negotiateLanguage(tags)).toBe(language);
  });
});

describe("isLanguage()", () => {
  test("accepts the six codes and nothing else", () => {
    expect(LANGUAGES).toEqual(["en", "fr", "de", "it", "es", "pt"]);
    for (const language of LANGUAGES) expect(isLanguage(language)).toBe(true);
    for (const other of ["EN", "ru", "", "toString", undefined, null, 0, ["en"]]) expect(isLanguage(other)).toBe(false);
  });
});

describe("localeOf()", () => {
  test("is the language itself, and for Portuguese that of Portugal", () => {
    expect(LANGUAGES.map(localeOf)).toEqual(["en", "fr", "de", "it", "es", "pt-PT"]);
    const price = new Intl.NumberFormat(localeOf("pt"), { style: "currency", currency: "EUR" }).format(9.9);
    expect(price.replaceAll(/\s/g, " ")).toBe("9,90 €");
    expect(new Intl.PluralRules(localeOf("pt")).select(0)).toBe("other");
  });
});

describe("dataClassKey()", () => {
  test.each([
    ["Email addresses", "email-addresses"],
    ["Bank account numbers", "bank-account-numbers"],
    ["Mothers' maiden names", "mothers-maiden-names"],
    ["Mothers’ maiden names", "mothers-maiden-names"],
    ["Payment methods (partial)", "payment-methods-partial"],
    ["Ages/Genders", "ages-genders"],
    ["IP addresses", "ip-addresses"],
    ["  ", ""],
  ])("maps %j to the key %j", (label, key) => {
    expect(dataClassKey(label)).toBe(key);
  });

  test("gives every data class of the bundled catalogue a unique key", () => {
    const bundled: { DataClasses: string[] }[] = JSON.parse(
      readFileSync(join(SRC, "breaches/adapters/sources/bundled/bundled_catalogue.json"), "utf8"),
    );
    const labels = new Set(bundled.flatMap((entry) => entry.DataClasses));
    const keys = new Set([...labels].map(dataClassKey));
    expect(labels.size).toBeGreaterThan(100);
    expect(keys.size).toBe(labels.size);
    for (const key of keys) expect(key).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
  });
});

describe("isId()", () => {
  test("accepts what Postgres accepts as a uuid in canonical form, and nothing else", () => {
    for (const id of [crypto.randomUUID(), Bun.randomUUIDv7(), crypto.randomUUID().toUpperCase()])
      expect(isId(id)).toBe(true);
    const id = crypto.randomUUID();
    for (const other of [
      "",
      "1",
      ` ${id}`,
      `${id} `,
      `${id}\n`,
      `{${id}}`,
      id.replaceAll("-", ""),
      id.replace(/^./, "g"),
    ]) {
      expect(isId(other)).toBe(false);
    }
  });
});

describe("ok() and fail()", () => {
  test("contain the value, or the code with its data", () => {
    expect(ok()).toEqual({ ok: true, value: undefined });
    expect(ok(5)).toEqual({ ok: true, value: 5 });
    expect(fail("LOCKED", { retryAfter: 3600 })).toEqual({ ok: false, code: "LOCKED", retryAfter: 3600 });
    expect(fail("INVALID_INPUT", { fields: { email: "EMAIL_INVALID" } })).toEqual({
      ok: false,
      code: "INVALID_INPUT",
      fields: { email: "EMAIL_INVALID" },
    });
  });
});
