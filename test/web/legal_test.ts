import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { CHANNELS } from "../../src/shared/contacts.ts";
import { LANGUAGES } from "../../src/shared/language.ts";
import { TERMS } from "../../src/shared/terms.ts";
import type { Instance } from "../../web/api/api.ts";
import { privacySections } from "../../web/pages/privacy_sections.ts";
import { openSite, settled } from "./browser.ts";
import { provider, scene } from "./fake_api.ts";

let opened: Awaited<ReturnType<typeof openSite>>;
beforeAll(async () => {
  opened = await openSite();
}, 120_000);
afterAll(() => opened.close());

const usual = scene().instance;
const small: Instance = { ...usual, billing: "off", mailbox: false, sources: ["xposedornot"], channels: ["email"] };
const large: Instance = {
  ...usual,
  billing: "stripe",
  mailbox: false,
  channels: [...CHANNELS],
  providers: [provider("google")],
  sources: ["hibp", "dataset"],
};

async function open(path: string, instance: Instance, language = "en") {
  opened.site.set({ level: "unauthenticated", instance });
  const visit = await opened.visit(`/${language}/${path}`);
  await settled(visit.page);
  await visit.page.locator("main section").first().waitFor();
  return visit;
}

const isShown = (page: Page, selector: string) => page.locator(selector).first().isVisible();

describe("The privacy notice", () => {
  test("names exactly the recipients of data in this installation", () => {
    const recipients = (instance: Instance) => privacySections(instance).find(({ id }) => id === "who_gets")?.items;
    expect(recipients(small)).toEqual(["gets_mail", "gets_xposedornot", "gets_aliases", "gets_nobody"]);
    expect(recipients(large)).toEqual([
      ...[
        "gets_mail",
        "gets_hibp",
        "gets_dataset",
        "gets_telegram",
        "gets_pushover",
        "gets_ntfy",
        "gets_webhook",
        "gets_webpush",
        "gets_chats",
      ],
      ...["gets_aliases", "gets_stripe", "gets_providers", "gets_nobody"],
    ]);
    expect(recipients(usual)).toEqual(["gets_mailbox", "gets_bundled", "gets_aliases", "gets_sandbox", "gets_nobody"]);
    const itemsOf = (instance: Instance) => privacySections(instance).flatMap(({ items = [] }) => items);
    for (const item of ["data_payment", "kept_payment"]) {
      expect(itemsOf(small)).not.toContain(item);
      expect(itemsOf(large)).toContain(item);
    }
  });

  test.each([...LANGUAGES])(
    "describes all of them in %s, and links to where users can act",
    async (language) => {
      const { page, complaints, leave } = await open("privacy-notice", large, language);
      expect(await page.locator("main section").count()).toBe(9);
      const words = await page.locator("main dt, main dd, main section h2").allTextContents();
      expect(words.filter((text) => text.trim() === "")).toEqual([]);
      expect(words.join(" ")).not.toContain("{");
      expect(await page.locator("main").textContent()).toContain("k-");
      for (const path of ["profile", "profile-edit", "dashboard", "terms-service"])
        expect(await page.locator(`main a[href="/${language}/${path}"]`).count()).toBe(
          path === "terms-service" ? 1 : 1,
        );
      expect(complaints).toEqual([]);
      await leave();
    },
    30_000,
  );

  test("opens at the section that a link names", async () => {
    const { page, leave } = await open("privacy-notice#watched", small);
    await page.waitForFunction(() => scrollY > 300);
    expect(await page.locator("#watched h2").evaluate((title) => title.getBoundingClientRect().top)).toBeLessThan(400);
    await leave();
  }, 30_000);
});

describe("The terms of service", () => {
  test("have 20 sections, a table of contents with each, and today's version and date", async () => {
    const { page, complaints, leave } = await open("terms-service", large);
    expect(await page.locator("main section").count()).toBe(20);
    const targets = await page
      .locator("main nav a")
      .evaluateAll((links) => links.map((link) => document.querySelector(link.getAttribute("href") ?? "")?.tagName));
    expect(targets).toEqual(Array(20).fill("SECTION"));
    const text = (await page.locator("main").textContent()) ?? "";
    const since = new Intl.DateTimeFormat("en", { dateStyle: "long", timeZone: "UTC" }).format(new Date(TERMS.since));
    expect(text).toContain(`Version ${TERMS.version}, ${since}`);
    expect(text).toContain("Available here: Email, Telegram, Pushover, ntfy, Webhook, Push notification");
    expect(text).toContain("comes from Have I Been Pwned and a list kept by this service’s operator");
    expect(text).toContain("courts of the canton of Zürich, Switzerland");
    expect(text).toContain("starts with a free trial of 14 days");
    expect(complaints).toEqual([]);
    await leave();
  }, 30_000);

  test("do not mention a trial if billing is disabled", async () => {
    const { page, leave } = await open("terms-service", small);
    expect(await page.locator("#section-13").textContent()).toContain("This service is free of charge");
    expect(await page.locator("#section-13").textContent()).not.toContain("trial of 14");
    await leave();
  }, 30_000);

  test.each(["terms-service", "privacy-notice"])(
    "%s on paper is only the text with its URL and version",
    async (path) => {
      const { page, leave } = await open(path, large);
      expect(await isShown(page, "main button")).toBe(true);
      expect(await page.getByText(opened.site.origin).isVisible()).toBe(false);
      await page.emulateMedia({ media: "print", colorScheme: "dark" });
      expect(await page.getByText(`${opened.site.origin}/en/${path}`).isVisible()).toBe(true);
      expect(await page.getByText(`Version ${TERMS.version}`).isVisible()).toBe(true);
      for (const gone of ["header", "footer", "main nav", "main button"]) expect(await isShown(page, gone)).toBe(false);
      const [text, ground] = await page.evaluate(() => {
        const paragraph = document.querySelector("main section p") ?? document.body;
        return [getComputedStyle(paragraph).color, getComputedStyle(document.body).backgroundColor];
      });
      expect([text, ground]).toEqual(["rgb(28, 37, 54)", "rgb(255, 255, 255)"]);
      await leave();
    },
    30_000,
  );

  test("the footer links to both from every page without a session", async () => {
    opened.site.set({ level: "unauthenticated" });
    const { page, leave } = await opened.visit("/en/register");
    await settled(page);
    for (const path of ["terms-service", "privacy-notice"]) {
      expect(await page.locator(`footer a[href="/en/${path}"]`).count()).toBe(1);
      expect(await page.locator(`form a[href="/en/${path}"][target=_blank]`).count()).toBe(1);
    }
    await leave();
  }, 30_000);
});
