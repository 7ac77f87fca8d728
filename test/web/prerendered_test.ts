import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { LANGUAGES, type Language, localeOf } from "../../src/shared/language.ts";
import { PAGES } from "../../web/app/page_table.ts";
import { openSite, settled } from "./browser.ts";
import { provider, type Scene } from "./fake_api.ts";
import { heldBack } from "./held_back.ts";

const stranger: Partial<Scene> = { level: "unauthenticated" };
const LOCALES = join(import.meta.dir, "../../locales");

let opened: Awaited<ReturnType<typeof openSite>>;
beforeAll(async () => {
  opened = await openSite();
}, 120_000);
afterAll(() => opened.close());

/** The addresses below a language of all prerendered pages, with the key of their title. */
const PUBLIC = PAGES.flatMap(({ path, title, titleOf, prerendered = [] }) =>
  prerendered.map((suffix) => ({
    address: path + suffix,
    title: titleOf?.(new URLSearchParams(suffix)) ?? title,
  })),
);

/** The texts of a language; those of the legal pages have their topic before their key. */
function wordsIn(language: Language): (key: string) => string {
  const texts = readdirSync(join(LOCALES, language)).flatMap((file) => {
    const topic = file.replace(".json", "");
    const all = JSON.parse(readFileSync(join(LOCALES, language, file), "utf8")) as Record<string, string>;
    return Object.entries(all).map(([key, text]) => [/terms|privacy/.test(topic) ? `${topic}:${key}` : key, text]);
  });
  const words = Object.fromEntries(texts) as Record<string, string>;
  return (key) => words[key] ?? `no ${key}`;
}

/** A document as people read it without scripts. */
async function documentAt(address: string) {
  const html = await (await fetch(`${opened.site.origin}/${address}`)).text();
  const [, lang] = /<html lang="([^"]*)"/.exec(html) ?? [];
  const [, title] = /<title>(.*?)<\/title>/.exec(html) ?? [];
  const [, body = ""] = /<body>(.*)<\/body>/s.exec(html) ?? [];
  const plain = (text = "") =>
    text
      .replaceAll(/<(style|script|template|option)\b.*?<\/\1>/gs, "")
      .replaceAll(/<[^>]*>/g, "\n")
      .replaceAll("&#x27;", "'")
      .replaceAll("&quot;", '"')
      .replaceAll("&amp;", "&");
  return { html, lang, title: plain(title), heading: plain(/<h1[^>]*>(.*?)<\/h1>/.exec(body)?.[1]), text: plain(body) };
}

describe("the document of a public page", () => {
  test.each([...LANGUAGES])("has its title, heading and text without scripts: %s", async (language) => {
    opened.site.set(stranger);
    const text = wordsIn(language);
    for (const { address, title } of PUBLIC) {
      const found = await documentAt(`${language}/${address}`);
      const said = { address, lang: found.lang, title: found.title, heading: found.heading };
      expect(said).toEqual({
        address,
        lang: localeOf(language),
        title: `${text(title)} · Breachbell`,
        heading: text(title),
      });
      for (const key of ["frame.terms", "privacy.title", "boot.no_script"]) expect(found.text).toContain(text(key));
      expect(found.html).not.toMatch(/ style="|<link rel="stylesheet"/);
    }
  });

  test.each([...LANGUAGES])("has its form or its text: %s", async (language) => {
    opened.site.set(stranger);
    const text = wordsIn(language);
    for (const [address, ...keys] of [
      ["login", "field.email", "field.password", "login.submit"],
      ["register", "field.email", "field.first_name", "register.submit"],
      ["forgot-password", "field.email", "forgot.submit"],
      ["terms-service", "terms:section_1_title", "terms:section_20_title"],
      ["privacy-notice", "privacy:who_title"],
      ["error-page?err=404", "error_page.missing_text", "error_page.to_login"],
      ["nothing/here", "error_page.missing_text", "error_page.to_login"],
      ["service-status", "service_status.lead"],
    ]) {
      const { text: said } = await documentAt(`${language}/${address}`);
      for (const key of keys) expect(said).toContain(text(key));
    }
  });

  test("shows this installation: its operator, providers, and who may register", async () => {
    const { instance } = opened.site.set(stranger);
    instance.operator = { name: "Ada & Söhne", canton: "Bern", supportEmail: "hilfe@example.com" };
    instance.providers = [provider("github"), provider("home")];
    instance.registration = { mode: "closed", domains: [] };
    instance.billing = "off";
    const text = wordsIn("de");
    for (const page of ["terms-service", "privacy-notice"])
      expect((await documentAt(`de/${page}`)).text).toContain("Ada & Söhne");
    const login = await documentAt("de/login");
    for (const words of ["GitHub", "Home", text("login.closed")]) expect(login.text).toContain(words);
    const register = await documentAt("de/register");
    expect(register.text).toContain(text("register.closed"));
    expect(register.text).not.toContain(text("field.first_name"));
    // Without plans there is no such page.
    expect((await documentAt("de/success-order")).html).toContain('class="boot"');
    instance.providersOnly = true;
    expect((await documentAt("de/forgot-password")).text).toContain(text("forgot.no_passwords"));
  });
});

/** Error pages differ in their words only. */
const isHydratedAlone = ({ address }: { address: string }) => !address.includes("?") || address.endsWith("=404");

/** In the page: whether its heading is still the same when the app has taken over. */
const keepsHeading = () =>
  new Promise<boolean>((resolve) => {
    const [heading, root] = [document.querySelector("h1"), document.querySelector("#root")];
    const watch = new MutationObserver(() => resolve(heading?.isConnected === true));
    if (root) watch.observe(root, { attributeFilter: ["data-drawn"] });
  });

describe("hydration", () => {
  test.each([...LANGUAGES])(
    "takes over every public page as it is: %s",
    async (language) => {
      opened.site.set(stranger);
      const { page, complaints, leave } = await opened.visit(`/${language}/verify-code`);
      await settled(page);
      for (const { address } of PUBLIC.filter(isHydratedAlone)) {
        const go = await heldBack(page, "**/assets/*.js");
        await page.goto("about:blank");
        await page.goto(`${opened.site.origin}/${language}/${address}`, { waitUntil: "commit" });
        await page.locator("h1").waitFor();
        const isKept = page.evaluate(keepsHeading);
        go();
        expect([address, await isKept]).toEqual([address, true]);
        await page.unrouteAll({ behavior: "wait" });
      }
      expect(complaints).toEqual([]);
      await leave();
    },
    120_000,
  );

  test("hides a page that was prerendered for another case, and shows the right one", async () => {
    const { instance } = opened.site.set(stranger);
    instance.registration = { mode: "invite", domains: [] };
    const text = wordsIn("fr");
    for (const [address, expected] of [
      ["register#t=token", text("register.submit")],
      ["reset-password", text("reset.request")],
    ] as const) {
      const { page, complaints, leave } = await opened.visit("/fr/verify-code");
      await settled(page);
      const go = await heldBack(page, "**/assets/*.js");
      await page.goto("about:blank");
      await page.goto(`${opened.site.origin}/fr/${address}`, { waitUntil: "commit" });
      await page.locator("header a").first().waitFor();
      expect(await page.locator("h1").isVisible()).toBe(false);
      go();
      await page.getByText(expected).waitFor();
      expect(complaints).toEqual([]);
      await leave();
    }
  }, 60_000);
});
