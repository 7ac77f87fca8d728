import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { openSite, settled } from "./browser.ts";

let opened: Awaited<ReturnType<typeof openSite>>;
beforeAll(async () => {
  opened = await openSite();
}, 120_000);
afterAll(() => opened.close());

function pathOf(page: Page): string {
  return page.url().slice(opened.site.origin.length);
}

test("a URL without a supported language gets the stored one, otherwise the browser's", async () => {
  opened.site.set({ level: "unauthenticated" });
  for (const [asked, stored, expected] of [
    ["/", undefined, "/de/login"],
    ["/register", undefined, "/de/register"],
    ["/xx/register", undefined, "/de/register"],
    ["/en-US/register", "it", "/it/register"],
    ["/fr", "it", "/fr/login"],
    ["/nowhere", "it", "/it/error-page?err=404"],
    ["/es/nowhere", "it", "/es/error-page?err=404"],
    ["/manage-contact#t=abc", "it", "/it/manage-contact"],
  ] as const) {
    const storageState = {
      cookies: [],
      origins: [] as { origin: string; localStorage: { name: string; value: string }[] }[],
    };
    const localStorage = stored ? [{ name: "selectedLanguage", value: stored }] : [];
    storageState.origins.push({ origin: opened.site.origin, localStorage });
    const { page, leave } = await opened.visit(asked, { locale: "de-CH", storageState });
    await settled(page);
    expect(pathOf(page)).toBe(expected);
    const language = expected.slice(1, 3);
    expect(await page.evaluate(() => [document.documentElement.lang, window.localStorage.selectedLanguage])).toEqual([
      language,
      language,
    ]);
    await leave();
  }
}, 60_000);

test("each navigation checks the session, sets the title, and moves the focus to the heading", async () => {
  opened.site.set();
  const { page, leave } = await opened.visit("/en/dashboard");
  await settled(page);
  expect(await page.title()).toBe("Dashboard · Breachbell");
  const checks = () => opened.site.requests.filter(({ call }) => call.includes("check-user-authentication")).length;
  const before = checks();
  await page.getByRole("link", { name: "Alerts", exact: true }).click();
  await page.waitForURL("**/en/alerts");
  await page.waitForFunction(() => document.activeElement?.tagName === "H1");
  expect(await page.title()).toBe("Alerts · Breachbell");
  expect(checks()).toBe(before + 1);
  await leave();
}, 30_000);

test("tracking checks the subscription, then the capacity, and leads to the page that explains a refusal", async () => {
  for (const [answer, body, err] of [
    ["GET /api/check-subscription/", { status: "inactive" }, "USER_INACTIVE"],
    ["GET /api/check-aggiungere-email/", { can_add_more: false }, "USER_INSUFFICIENT"],
  ] as const) {
    opened.site.set({ answers: { [answer]: { status: 200, body } } });
    const { page, leave } = await opened.visit("/en/new-track");
    await page.waitForURL(`**/en/error-page?err=${err}`);
    expect(opened.site.calls()).toContain(answer);
    await leave();
  }
}, 30_000);

test("changing the language keeps the page and its input", async () => {
  opened.site.set({ level: "unauthenticated" });
  const { page, leave } = await opened.visit("/en/login");
  await page.getByLabel("Email", { exact: true }).fill("alice@example.com");
  await page.getByLabel("Language").selectOption("fr");
  await page.getByRole("heading", { name: "Se connecter" }).waitFor();
  expect(pathOf(page)).toBe("/fr/login");
  expect(await page.getByLabel("E-mail").inputValue()).toBe("alice@example.com");
  expect(await page.evaluate(() => document.documentElement.lang)).toBe("fr");
  await leave();
}, 30_000);

test("the skip link bypasses the navigation, and the colour scheme is stored", async () => {
  opened.site.set();
  const { page, leave } = await opened.visit("/en/dashboard");
  await settled(page);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("MAIN");
  await page.getByText("Dark", { exact: true }).click({ force: true });
  await page.waitForFunction(() => document.documentElement.dataset.mantineColorScheme === "dark");
  await page.reload();
  await settled(page);
  expect(await page.evaluate(() => document.documentElement.dataset.mantineColorScheme)).toBe("dark");
  await leave();
}, 30_000);

test("logging out ends the session and shows the login", async () => {
  opened.site.set();
  const { page, leave } = await opened.visit("/en/dashboard");
  await settled(page);
  opened.site.stage.level = "unauthenticated";
  await page.getByRole("button", { name: "Logout" }).click();
  await page.waitForURL("**/en/login");
  expect(opened.site.calls()).toContain("POST /api/logout");
  expect(await page.getByText("Session expired").count()).toBe(0);
  await leave();
}, 30_000);
