import { describe, expect, test } from "bun:test";
import { mayBeIndexed, pageHead } from "../../src/http/page_head.ts";

const INDEX =
  '<html lang="en"><meta content="__DESCRIPTION__"><meta content="__ORIGIN__/social.png"><meta name="robots" content="__ROBOTS__"><link href="/manifest-__LANGUAGE__.webmanifest">';
const MANIFESTS = new Map([
  ["en", { description: 'Watches "addresses" & more <b>' }],
  ["de", { description: "Überwacht Adressen" }],
] as const);
const headed = pageHead(INDEX, MANIFESTS, "https://breachbell.example");

describe("pageHead()", () => {
  test("pageHead() fills in language, description and absolute URLs", () => {
    expect(headed({ path: "/de/login", acceptLanguage: "fr" })).toBe(
      '<html lang="de"><meta content="Überwacht Adressen"><meta content="https://breachbell.example/social.png"><meta name="robots" content="index"><link href="/manifest-de.webmanifest">',
    );
  });

  test("pageHead() escapes what it fills in", () => {
    expect(headed({ path: "/en/alerts", acceptLanguage: undefined })).toContain(
      'content="Watches &quot;addresses&quot; &amp; more &lt;b&gt;"',
    );
  });

  test.each([
    ["/", "de-AT, en;q=0.8", "de"],
    ["/", "nl, xx", "en"],
    ["/", undefined, "en"],
    ["/nl/login", "de", "de"],
    ["/dashboard", "en-GB,de", "en"],
    ["/", "pt-BR", "pt-PT"],
    ["/pt/login", undefined, "pt-PT"],
    ["/it/login", "de", "it"],
    ["/x", "nl, en;q=0.2, es;q=0.7", "es"],
    ["/", "de;q=0, *", "en"],
  ])("pageHead() chooses for %s with %s the language %s", (path, acceptLanguage, language) => {
    expect(headed({ path, acceptLanguage })).toContain(`<html lang="${language}">`);
  });
});

describe("mayBeIndexed()", () => {
  test("mayBeIndexed() is true for public pages only", () => {
    for (const page of ["login", "register", "terms-service", "privacy-notice", "service-status"])
      expect(mayBeIndexed(`/it/${page}`)).toBe(true);
    for (const path of ["/", "/en", "/login", "/xx/login", "/en/dashboard", "/en/reset-password", "/en/login/more"])
      expect(mayBeIndexed(path)).toBe(false);
  });
});
