import { describe, expect, test } from "bun:test";
import { LANGUAGES } from "../../src/shared/language.ts";
import { inLanguage, LANGUAGE_NAMES, localisedPath, preferredLanguage, splitPath } from "../../web/app/language.ts";

test("languages have their native names", () => {
  for (const language of LANGUAGES) {
    const name = new Intl.DisplayNames(language, { type: "language" }).of(language);
    expect(LANGUAGE_NAMES[language].toLocaleLowerCase(language)).toBe(name?.toLocaleLowerCase(language) ?? "");
  }
});

describe("preferredLanguage()", () => {
  test("preferredLanguage() prefers the stored language to the browser's", () => {
    expect(preferredLanguage("it", ["de-CH", "fr"])).toBe("it");
  });

  test("preferredLanguage() returns the browser's first supported one if no valid one is stored", () => {
    expect(preferredLanguage(null, ["nl", "pt-BR", "de"])).toBe("pt");
    expect(preferredLanguage("klingon", ["de-CH"])).toBe("de");
  });

  test("preferredLanguage() falls back to English", () => {
    expect(preferredLanguage(null, ["nl", "sv"])).toBe("en");
    expect(preferredLanguage(null, [])).toBe("en");
  });
});

describe("localisedPath()", () => {
  test("localisedPath() keeps a supported prefix", () => {
    expect(localisedPath("/fr/alerts", "de")).toBe("/fr/alerts");
  });

  test("localisedPath() adds a missing prefix and replaces an unsupported one", () => {
    expect(localisedPath("/alerts", "de")).toBe("/de/alerts");
    expect(localisedPath("/sign-in/google", "de")).toBe("/de/sign-in/google");
    expect(localisedPath("/nl/alerts", "de")).toBe("/de/alerts");
    expect(localisedPath("/en-US/alerts", "de")).toBe("/de/alerts");
  });

  test("localisedPath() leads from the empty path to the login", () => {
    expect(localisedPath("/", "es")).toBe("/es/login");
    expect(localisedPath("/fr/", "es")).toBe("/fr/login");
    expect(localisedPath("/nl", "es")).toBe("/es/login");
  });

  test("localisedPath() leaves unknown paths to the router", () => {
    expect(localisedPath("/nowhere/at/all", "es")).toBe("/es/nowhere/at/all");
  });

  test("localisedPath() removes line breaks, which the router could not match", () => {
    for (const path of ["/en/%0d%0aX:y", "/en/X%0A:y", "/en/%E2%80%A8X:y", "/%0aen/X:y"])
      expect(localisedPath(path, "de")).toBe("/en/X:y");
  });

  test("localisedPath() cannot lead to another host", () => {
    expect(localisedPath("//evil.example/login", "es")).toBe("/es/evil.example/login");
  });
});

test("splitPath() separates the language from the page", () => {
  expect(splitPath("/pt/verify-code")).toEqual({ language: "pt", rest: "/verify-code" });
  expect(splitPath("/verify-code")).toEqual({ language: undefined, rest: "/verify-code" });
});

test("inLanguage() returns the same page in another language", () => {
  expect(inLanguage("/en/alerts", "it")).toBe("/it/alerts");
});
