import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import * as v from "valibot";
import { codeIn, verifyCodeInput } from "../../src/identity/inputs.ts";
import { LANGUAGES } from "../../src/shared/language.ts";

test("codeIn() extracts the code from the mail's line in every language", () => {
  for (const language of LANGUAGES) {
    const words = JSON.parse(
      readFileSync(join(import.meta.dir, `../../locales/${language}/mail.json`), "utf8"),
    ) as Record<string, string>;
    const line = (words["code.line"] ?? "").replace("{code}", "042917").replace("{product}", "Breachbell");
    expect(line).toContain("042917");
    expect(v.parse(verifyCodeInput, { code: line })).toEqual({ code: "042917" });
  }
});

test.each([
  ["Your code: 042-917.", "042917"],
  ["042917\nThe code is valid for 10 minutes and can be used once.", "042917"],
  ["042917 042917", ""],
  ["042917, then 042917", "042917"],
  ["042917, or 999999", ""],
  ["2026-11-26", ""],
  ["12345678", ""],
  ["no code at all", ""],
])("codeIn(%p) is %p", (typed, code) => {
  expect(codeIn(typed)).toBe(code);
});

test("codeIn() handles a long text of digits in linear time", () => {
  for (const typed of ["1".repeat(20_000), "1 ".repeat(20_000), "-".repeat(20_000)]) expect(codeIn(typed)).toBe("");
});

test("codeIn() finds the six digits however they are typed", () => {
  const digits = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 6, maxLength: 6 });
  const noise = fc.array(fc.constantFrom(" ", "-", "\u2013", "\u00a0", "\u3000", "\t", "\u200b", "\u2212"), {
    maxLength: 3,
  });
  const typed = fc.tuple(digits, fc.array(fc.tuple(noise, fc.boolean()), { minLength: 6, maxLength: 6 }));
  fc.assert(
    fc.property(typed, ([code, ways]) => {
      const text = code.map((digit, i) => {
        const [before = [], wide = false] = ways[i] ?? [];
        return before.join("") + String.fromCodePoint((wide ? 0xff10 : 0x30) + digit);
      });
      expect(codeIn(text.join(""))).toBe(code.join(""));
    }),
  );
});
