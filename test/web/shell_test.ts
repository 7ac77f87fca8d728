import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { openSite, settled } from "./browser.ts";

let opened: Awaited<ReturnType<typeof openSite>>;
beforeAll(async () => {
  opened = await openSite();
}, 120_000);
afterAll(() => opened.close());

/** The specification's sidebar, followed by our own entries. */
const ENTRIES = [
  ...["Dashboard", "Track New Email", "Alerts", "Test Alerts", "Purchase Subscription", "View Profile", "Edit Profile"],
  ...["Support", "Suggestions", "Service Status", "Contacts", "Domains", "Logout"],
];

const pathOf = (page: Page) => page.url().slice(opened.site.origin.length);

test("the sidebar has the specification's entries, collapses to icons with tooltips, and stays so", async () => {
  opened.site.set();
  const { page, complaints, leave } = await opened.visit("/en/dashboard", { viewport: { width: 1440, height: 900 } });
  await settled(page);
  const sidebar = page.getByRole("navigation", { name: "Main navigation" });
  await sidebar.getByRole("link", { name: "Purchase Subscription" }).waitFor();
  const names = async () => (await sidebar.locator("[data-tip]").allTextContents()).slice(0, -1);
  expect(await names()).toEqual(ENTRIES);
  expect(await sidebar.getByRole("link", { name: "Dashboard" }).getAttribute("aria-current")).toBe("page");

  await sidebar.getByRole("button", { name: "Collapse menu", expanded: true }).press("Enter");
  await sidebar.getByRole("button", { name: "Expand menu", expanded: false }).waitFor();
  expect((await sidebar.boundingBox())?.width).toBeLessThan(80);
  // The labels are still the accessible names, and appear on hover and focus.
  await sidebar.getByRole("link", { name: "Alerts", exact: true }).hover();
  const tip = sidebar.locator("span[aria-hidden]", { hasText: "Alerts" });
  await tip.waitFor();
  expect((await tip.boundingBox())?.x).toBeGreaterThan(60);
  await tip.hover();
  await tip.waitFor();
  await page.keyboard.press("Escape");
  await page.mouse.move(900, 500);
  await tip.waitFor({ state: "detached" });
  await sidebar.getByRole("link", { name: "Contacts" }).focus();
  await sidebar.locator("span[aria-hidden]", { hasText: "Contacts" }).waitFor();
  await page.keyboard.press("Escape");
  await sidebar.locator("span[aria-hidden]", { hasText: "Contacts" }).waitFor({ state: "detached" });

  await page.reload();
  await sidebar.getByRole("button", { name: "Expand menu" }).click();
  await sidebar.getByRole("button", { name: "Collapse menu" }).waitFor();
  expect(complaints).toEqual([]);
  await leave();
}, 60_000);

test("on a phone the menu is a drawer that traps the focus, returns it, and moves on to the heading", async () => {
  opened.site.set();
  const { page, leave } = await opened.visit("/en/dashboard", { viewport: { width: 360, height: 800 } });
  await settled(page);
  const menu = page.getByRole("button", { name: "Menu", exact: true });
  await menu.press("Enter");
  const drawer = page.getByRole("dialog");
  await drawer.getByRole("link", { name: "Alerts", exact: true }).waitFor();
  for (let step = 0; step < 20; step += 1) {
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.closest('[role="dialog"]') !== null)).toBe(true);
  }
  await page.keyboard.press("Escape");
  await drawer.waitFor({ state: "detached" });
  await page.waitForFunction(() => document.activeElement?.getAttribute("aria-label") === "Menu");

  await menu.press("Enter");
  await drawer.getByRole("link", { name: "Alerts", exact: true }).press("Enter");
  await page.waitForURL("**/en/alerts");
  await drawer.waitFor({ state: "detached" });
  await page.waitForFunction(() => document.activeElement?.tagName === "H1");
  await leave();
}, 60_000);

test("nested pages show breadcrumbs", async () => {
  opened.site.set();
  for (const [path, parent, here] of [
    ["/en/screen-track/alice@example.com", "Dashboard", "Address monitoring"],
    ["/en/update-track/a1", "Dashboard", "Edit alert settings"],
    ["/en/profile-edit", "View Profile", "Edit Profile"],
  ] as const) {
    const { page, leave } = await opened.visit(path);
    await settled(page);
    const trail = page.getByRole("navigation", { name: "Breadcrumb" });
    expect(await trail.getByRole("listitem").allTextContents()).toEqual([parent, here]);
    expect(await trail.locator("[aria-current=page]").textContent()).toBe(here);
    await trail.getByRole("link", { name: parent }).click();
    await page.getByRole("heading", { level: 1, name: parent, exact: true }).waitFor();
    expect(await trail.count()).toBe(0);
    await leave();
  }
}, 60_000);

test("back and forward restore the scroll position and the focus", async () => {
  opened.site.set();
  const { page, leave } = await opened.visit("/en/dashboard", { viewport: { width: 900, height: 500 } });
  await settled(page);
  // In a list far down the page.
  const path = `/en/screen-track/${encodeURIComponent("new@example.net")}`;
  const link = page.locator(`main a[href="${path}"]`);
  await link.scrollIntoViewIfNeeded();
  const scrolled = await page.evaluate(() => scrollY);
  expect(scrolled).toBeGreaterThan(200);
  await link.press("Enter");
  await page.waitForURL(`**${path}`);
  await page.waitForFunction(() => document.activeElement?.tagName === "H1");
  expect(await page.evaluate(() => scrollY)).toBe(0);
  await page.goBack();
  await page.waitForFunction((href) => document.activeElement?.getAttribute("href") === href, path);
  expect(Math.abs((await page.evaluate(() => scrollY)) - scrolled)).toBeLessThan(60);
  await page.goForward();
  await page.waitForURL(`**${path}`);
  await leave();
}, 30_000);

test("another page that is loaded anew begins at its top, and a reload keeps the position", async () => {
  opened.site.set();
  const { page, leave } = await opened.visit("/en/dashboard", { viewport: { width: 900, height: 500 } });
  await settled(page);
  await page.evaluate(() => scrollTo(0, 300));
  await page.goto(`${opened.site.origin}/en/profile`);
  await settled(page);
  expect(await page.evaluate(() => scrollY)).toBe(0);
  await page.evaluate(() => scrollTo(0, 200));
  await page.reload();
  await settled(page);
  await page.waitForFunction(() => scrollY === 200);
  await page.goto(`${opened.site.origin}/en/dashboard`);
  await settled(page);
  expect(await page.evaluate(() => scrollY)).toBe(0);
  await page.goBack();
  await page.waitForFunction(() => scrollY === 200);
  await leave();
}, 30_000);

test("no redirect traps the back button: back leads to the page before it", async () => {
  opened.site.set({
    answers: { "GET /api/check-aggiungere-email/": { status: 200, body: { can_add_more: false } } },
  });
  const { page, leave } = await opened.visit("/en/alerts");
  await settled(page);
  await page.getByRole("link", { name: "Track New Email" }).first().click();
  await page.waitForURL("**/en/error-page?err=USER_INSUFFICIENT");
  await page.getByRole("link", { name: "See the plans" }).click();
  await page.waitForURL("**/en/subscription");
  await page.goBack();
  await page.waitForURL("**/en/error-page?err=USER_INSUFFICIENT");
  await page.goBack();
  await page.waitForURL("**/en/alerts");
  await page.goForward();
  await page.waitForURL("**/en/error-page?err=USER_INSUFFICIENT");
  await leave();
}, 30_000);

test("a URL keeps its query and fragment when the language is inserted", async () => {
  opened.site.set();
  for (const [asked, expected] of [
    ["/alerts?state=pending&search=%C3%A4#x", "/it/alerts?state=pending&search=%C3%A4#x"],
    ["/nl/alerts?state=pending", "/it/alerts?state=pending"],
    ["/it/screen-track/kid%2Bschool@example.org", "/it/screen-track/kid%2Bschool@example.org"],
  ] as const) {
    const { page, leave } = await opened.visit(asked, { locale: "it-CH" });
    await settled(page);
    expect(pathOf(page)).toBe(expected);
    await leave();
  }
}, 30_000);

test("a failed check explains itself and offers the same page again", async () => {
  opened.site.set({ answers: { "GET /api/check-user-belong-association/": { status: 503, body: { code: "BUSY" } } } });
  const { page, leave } = await opened.visit("/en/update-track/a1?from=mail");
  await page.getByRole("heading", { name: "We’re very busy right now" }).waitFor();
  expect(await page.title()).toEndWith("We’re very busy right now · Breachbell");
  opened.site.stage.answers = {};
  await page.getByRole("link", { name: "Try again" }).click();
  await page.waitForURL("**/en/update-track/a1?from=mail");
  await page.getByRole("heading", { name: "Edit alert settings" }).waitFor();
  await leave();
}, 30_000);

test("a filter by state is one tab stop, and arrow keys choose", async () => {
  opened.site.set();
  const { page, leave } = await opened.visit("/en/alerts");
  await settled(page);
  const states = page.getByRole("radiogroup", { name: "Status" });
  await states.getByRole("radio").first().focus();
  await page.keyboard.press("ArrowRight");
  await page.waitForURL("**/en/alerts?state=handled");
  await states.locator("input[value=handled]:checked").waitFor({ state: "attached" });
  expect(await states.getByRole("radio", { checked: true }).count()).toBe(1);
  await page.keyboard.press("Tab");
  expect(await page.evaluate(() => document.activeElement?.getAttribute("type"))).toBe("search");
  await page.keyboard.press("Shift+Tab");
  expect(await page.evaluate(() => (document.activeElement as HTMLInputElement).value)).toBe("handled");
  await leave();
}, 30_000);
