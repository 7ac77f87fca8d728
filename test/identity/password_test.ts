import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { isCommon, isSimilar, likeness, weaknessOf } from "../../src/identity/account/password.ts";
import { commonPasswords } from "../../src/identity/adapters/secrets/common_passwords.ts";
import { listedPasswords, shipped } from "./make_common_passwords.ts";

const list = commonPasswords();

describe("isSimilar()", () => {
  test.each([
    ["Alice.Meyer1", "alice.meyer@example.com", true],
    ["Meyer-Alice9", "alice.meyer@example.com", true],
    ["xxEXAMPLExx9", "alice@example.com", true],
    ["Tr4in-Window", "alice@example.com", false],
    ["Wilhelmina7", "Wilhelmina", true],
    ["anImlehliw7", "Wilhelmina", true],
    ["Francois77", "François", true],
    ["Bo-Tr4in-Window", "Bo", false],
    ["Éléonore77", "Éléonore", true],
    ["anything1A", "", false],
  ])("isSimilar(%p, %p) is %p", (password, value, expected) => {
    expect(isSimilar(password, value)).toBe(expected);
  });

  test("isSimilar() rejects whatever contains the value and little else, also long texts", () => {
    const word = fc.stringMatching(/^[a-z]{4,30}$/);
    fc.assert(
      fc.property(word, fc.stringMatching(/^[A-Z0-9!-]{0,15}$/), (value, rest) =>
        expect(isSimilar(`${rest}${value}`, value)).toBe(true),
      ),
    );
    expect(isSimilar("Tr4in-Window-Seat-Meyer", "Meyer")).toBe(false);
    const long = "x".repeat(100_000);
    expect(isSimilar(long, long)).toBe(true);
  });

  test("likeness() is between 0 and 1, and 1 for a text and itself", () => {
    const text = fc.string({ minLength: 3 });
    fc.assert(
      fc.property(text, text, (one, other) => {
        expect(likeness(one, other)).toBeWithin(0, 1.0000001);
        expect(likeness(one, one)).toBe(1);
      }),
    );
    expect([likeness("", ""), likeness("abcd", "dcba"), likeness("alexnder", "alexander")]).toEqual([0, 0, 16 / 17]);
  });

  test("a long passphrase shares letters with a long address, but no pieces", () => {
    const email = "alexander.constantinescu@example-university.org";
    expect(isSimilar("Paloalto-andrey-desire-spalding-trumpet7A", email)).toBe(false);
  });
});

describe("isCommon()", () => {
  test.each([
    "Password1",
    "P@ssw0rd",
    "Passw0rd!",
    "Dragon1234",
    "Qwerty123",
    "Sunshine2026!!",
    "  Letmein99  ",
    "Breachbell1",
    "BreachBe11",
    "Alert2026",
    "Ｐａｓｓｗｏｒｄ１",
    "Vigil-example1",
  ])("isCommon() finds %p", (password) => {
    expect(isCommon(password, list, "vigil-example.org")).toBe(true);
  });

  test.each(["Tr4in-Window-Seat", "correct Horse 7 battery", "Zq9#mKpL2x", "Purple7Lantern"])(
    "isCommon() does not find %p",
    (password) => {
      expect(isCommon(password, list, "breachbell.example.org")).toBe(false);
    },
  );

  test("isCommon() rejects every entry of the list that capitals make valid", () => {
    const valid = listedPasswords().filter(
      (entry) => entry.length >= 8 && /[a-z].*[a-z]/.test(entry) && /\d/.test(entry),
    );
    expect(valid.length).toBeGreaterThan(3000);
    for (const entry of valid) {
      const capitalised = entry.replace(/[a-z]/, (letter) => letter.toUpperCase());
      if (!isCommon(capitalised, list, "localhost")) throw new Error(`"${capitalised}" passes`);
    }
  });

  test("isCommon() looks up a handful of variants, however many characters may stand for letters", () => {
    const asked = new Set<string>();
    const remembering = { has: (password: string) => asked.add(password).size === 0 };
    expect(isCommon(`A${"1!".repeat(63)}b`, remembering, "localhost")).toBe(false);
    expect(asked.size).toBeLessThanOrEqual(6);
    expect(asked.size).toBeGreaterThan(0);
  });
});

describe("weaknessOf()", () => {
  test("weaknessOf() accepts a good password", () => {
    const person = { email: "alice.meyer@example.com", firstName: "Alice", lastName: "Meyer" };
    expect(
      weaknessOf({ ...person, password: "Tr4in-Window-Seat" }, { commonPasswords: list, hostName: "localhost" }),
    ).toBeUndefined();
  });
});

describe("commonPasswords()", () => {
  test("commonPasswords() matches the list's package", async () => {
    expect(await shipped.text()).toBe(`${listedPasswords().join("\n")}\n`);
  });

  test("finds each of them, and neither a part of one nor two joined", async () => {
    const [first = "", second = "", ...others] = listedPasswords();
    for (const password of [first, second, ...others.slice(-2)]) expect(list.has(password)).toBe(true);
    for (const wrong of ["", "\n", first.slice(1, -1), `${first}\n${second}`, `${first}${second}`])
      expect([wrong, list.has(wrong)]).toEqual([wrong, false]);
  });
});
