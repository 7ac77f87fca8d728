import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import * as v from "valibot";
import { fieldsOf } from "../../src/http/body.ts";
import {
  forgotPasswordInput,
  loginInput,
  passwordRules,
  registerInput,
  resetPasswordInput,
  verifyCodeInput,
} from "../../src/identity/inputs.ts";
import { LANGUAGES } from "../../src/shared/language.ts";
import { ALICE } from "./identity_world.ts";

function fields(schema: v.GenericSchema, value: unknown) {
  const { issues } = v.safeParse(schema, value);
  return issues ? fieldsOf(issues as Parameters<typeof fieldsOf>[0]) : undefined;
}
const faultsOf = (changed: Record<string, unknown>) => fields(registerInput, { ...ALICE, ...changed });

describe("registerInput", () => {
  test("registerInput normalises what it accepts", () => {
    const typed = {
      ...ALICE,
      firstName: "  Ame\u0301lie ",
      lastName: "de la Cruz-O’Neil",
      email: " Alice@EXAMPLE.com ",
      companyName: "  ",
    };
    expect(v.parse(registerInput, typed)).toEqual({
      ...ALICE,
      firstName: "Amélie",
      lastName: "de la Cruz-O’Neil",
      email: "alice@example.com",
      companyName: undefined,
    });
  });

  test.each([
    [{}],
    [{ firstName: " ", lastName: "", email: " ", password: "", confirmPassword: "", language: "", terms: false }],
    [{ firstName: null, lastName: 1, email: [], password: {}, confirmPassword: true, language: "nl", terms: "true" }],
  ])("registerInput names every required field of %p in one response", (input) => {
    expect(fields(registerInput, input)).toEqual({
      firstName: "FIRST_NAME_REQUIRED",
      lastName: "LAST_NAME_REQUIRED",
      email: "EMAIL_REQUIRED",
      password: "PASSWORD_REQUIRED",
      confirmPassword: "PASSWORD_CONFIRMATION_REQUIRED",
      language: "LANGUAGE_REQUIRED",
      terms: "TERMS_REQUIRED",
    });
  });

  test("registerInput rejects non-objects and unknown keys", () => {
    for (const input of [null, "text", 1, undefined])
      expect(fields(registerInput, input)).toEqual({ "": "INVALID_INPUT" });
    expect(faultsOf({ verified: true })).toEqual({ verified: "INVALID_INPUT" });
  });

  test.each([
    ["61 characters", "NAME_TOO_LONG", "x".repeat(61)],
    ["angle brackets", "NAME_INVALID", "<b>Alice"],
    ["a control character", "NAME_INVALID", "Al\u0007ice"],
    ["a line break", "NAME_INVALID", "Al\r\nice"],
    ["a bidi override", "NAME_INVALID", "Al\u202eice"],
    ["a bidi isolate", "NAME_INVALID", "Al\u2066ice"],
    ["a lone surrogate", "NAME_INVALID", "Al\ud800ice"],
    ["a URL", "NAME_INVALID", "Win at WWW.example.com"],
  ] as const)("registerInput refuses a name with %s", (_, code, text) => {
    expect(faultsOf({ firstName: text })).toEqual({ firstName: code });
    expect(faultsOf({ lastName: text })).toEqual({ lastName: code });
  });

  test("registerInput accepts names of 60 characters in any script", () => {
    for (const text of ["x".repeat(60), "𠮷".repeat(60), "محمد", "Nguyễn Thị", "J. R. R."])
      expect(faultsOf({ firstName: text })).toBeUndefined();
  });

  test("registerInput accepts a company of up to 100 characters, or none", () => {
    expect(faultsOf({ companyName: "x".repeat(100) })).toBeUndefined();
    expect(faultsOf({ companyName: "x".repeat(101) })).toEqual({ companyName: "NAME_TOO_LONG" });
    expect(faultsOf({ companyName: "<script>" })).toEqual({ companyName: "NAME_INVALID" });
  });

  test.each(["alice", "alice@", "@example.com", "a b@example.com", "alice@example", "a@b@example.com"])(
    "registerInput rejects the email %p",
    (email) => {
      expect(faultsOf({ email })).toEqual({ email: "EMAIL_INVALID" });
    },
  );

  test("registerInput reports mismatched passwords even if the first is invalid", () => {
    expect(faultsOf({ confirmPassword: "Other-Tr4in" })).toEqual({ confirmPassword: "PASSWORDS_DIFFER" });
    expect(faultsOf({ password: "short", confirmPassword: "Other-Tr4in" })).toEqual({
      password: "PASSWORD_TOO_SHORT",
      confirmPassword: "PASSWORDS_DIFFER",
    });
    expect(faultsOf({ password: "Caf\u00e9-Tr4in", confirmPassword: "Cafe\u0301-Tr4in" })).toBeUndefined();
  });

  test("registerInput accepts the six languages", () => {
    for (const language of LANGUAGES) expect(faultsOf({ language })).toBeUndefined();
  });
});

describe("passwordRules()", () => {
  test.each([
    ["", ["PASSWORD_TOO_SHORT", "PASSWORD_NO_LOWERCASE", "PASSWORD_NO_UPPERCASE", "PASSWORD_NO_DIGIT"]],
    ["Abcdef1", ["PASSWORD_TOO_SHORT"]],
    ["Abcdefg1", []],
    ["abcdefg1", ["PASSWORD_NO_UPPERCASE"]],
    ["ABCDEFG1", ["PASSWORD_NO_LOWERCASE"]],
    ["Abcdefgh", ["PASSWORD_NO_DIGIT"]],
    ["Éàçèôïü７", []],
    [`A1${"b".repeat(126)}`, []],
    [`A1${"b".repeat(127)}`, ["PASSWORD_TOO_LONG"]],
  ])("passwordRules() lists what %p lacks", (password, rules) => {
    expect<string[]>(passwordRules(password)).toEqual(rules);
  });

  test("passwordRules() counts characters in any script and agrees with the form", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 140 }), (text) => {
        const rules = passwordRules(text);
        const length = [...text.normalize("NFKC")].length;
        expect(rules.includes("PASSWORD_TOO_SHORT")).toBe(length < 8);
        expect(rules.includes("PASSWORD_TOO_LONG")).toBe(length > 128);
        expect(fields(registerInput, { ...ALICE, password: text, confirmPassword: text })?.password).toBe(
          text === "" ? "PASSWORD_REQUIRED" : rules[0],
        );
      }),
    );
  });

  test("passwordRules() accepts any text that meets all rules", () => {
    const filler = fc.string({ unit: "grapheme-ascii", minLength: 5, maxLength: 125 });
    fc.assert(fc.property(filler, (text) => expect(passwordRules(`aZ7${text}`)).toEqual([])));
  });
});

describe("loginInput", () => {
  test("loginInput names missing fields, and rejects what no account can have", () => {
    expect(fields(loginInput, {})).toEqual({ email: "EMAIL_REQUIRED", password: "PASSWORD_REQUIRED" });
    expect(fields(loginInput, { email: "alice", password: "x".repeat(129) })).toEqual({
      email: "EMAIL_INVALID",
      password: "PASSWORD_TOO_LONG",
    });
    expect(v.parse(loginInput, { email: "ALICE@example.com", password: "x" })).toEqual({
      email: "alice@example.com",
      password: "x",
    });
  });
});

describe("forgotPasswordInput", () => {
  test("forgotPasswordInput normalises the email and accepts no other field", () => {
    expect(v.parse(forgotPasswordInput, { email: " ALICE@example.com " })).toEqual({ email: "alice@example.com" });
    expect(fields(forgotPasswordInput, {})).toEqual({ email: "EMAIL_REQUIRED" });
    expect(fields(forgotPasswordInput, { email: "alice", name: "x" })).toEqual({
      email: "EMAIL_INVALID",
      name: "INVALID_INPUT",
    });
  });
});

describe("resetPasswordInput", () => {
  test("resetPasswordInput has the password rules of registration", () => {
    const { password, confirmPassword } = ALICE;
    const typed = { token: "token", password, confirmPassword };
    expect(v.parse(resetPasswordInput, typed)).toEqual(typed);
    expect(fields(resetPasswordInput, {})).toEqual({
      token: "RESET_LINK_INVALID",
      password: "PASSWORD_REQUIRED",
      confirmPassword: "PASSWORD_CONFIRMATION_REQUIRED",
    });
    expect(fields(resetPasswordInput, { ...typed, password: "short" })).toEqual({
      password: "PASSWORD_TOO_SHORT",
      confirmPassword: "PASSWORDS_DIFFER",
    });
    expect(fields(resetPasswordInput, { ...typed, email: ALICE.email })).toEqual({ email: "INVALID_INPUT" });
  });
});

describe("verifyCodeInput", () => {
  test.each([
    "042917",
    " 042 917 ",
    "042-917",
    "０４２９１７",
    "04\u20132917",
    "042\u00a0917",
    "\u202a042917\u202c",
    "042\u200b917",
  ])("verifyCodeInput accepts %p", (typed) => {
    expect(v.parse(verifyCodeInput, { code: typed })).toEqual({ code: "042917" });
  });

  test.each(["", "12345", "1234567", "12345a", "٠٤٢٩١٧", 42917, null, undefined])(
    "verifyCodeInput rejects %p",
    (code) => {
      expect(fields(verifyCodeInput, { code })).toEqual({ code: "CODE_INVALID" });
    },
  );
});
