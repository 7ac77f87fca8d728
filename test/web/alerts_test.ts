import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { Alert } from "../../web/api/api.ts";
import { openSite, settled } from "./browser.ts";
import { readFailure } from "./failure.ts";
import { alerts } from "./fake_alerts.ts";

let opened: Awaited<ReturnType<typeof openSite>>;
beforeAll(async () => {
  opened = await openSite();
}, 120_000);
afterAll(() => opened.close());

const NARROW = { viewport: { width: 800, height: 900 } };
const searchOf = (page: Page) => new URL(page.url()).search;
const listCalls = () => opened.site.calls().filter((call) => call.startsWith("GET /api/alerts?"));

function many(count: number): Alert[] {
  const [first] = alerts() as [Alert];
  return Array.from({ length: count }, (_, index) => ({
    ...first,
    id: `m${index}`,
    breach: first.breach && { ...first.breach, name: `Service${index}`, title: `Service ${index}` },
  }));
}

test("pending alerts come first, most severe at the top, and the column header shows that order", async () => {
  opened.site.set();
  const { page, leave } = await opened.visit("/en/alerts");
  await page.getByText("4 alerts", { exact: true }).waitFor();
  expect(listCalls()).toEqual([expect.stringContaining("state=pending&sort=seriousness&direction=desc")]);
  const heading = page.getByRole("columnheader", { name: "Severity" });
  expect(await heading.getAttribute("aria-sort")).toBe("descending");
  expect(await page.locator("th[aria-sort]").count()).toBe(1);
  expect(await heading.locator("svg").getAttribute("class")).toContain("arrow-down");
  expect(await page.locator("tbody tr").first().textContent()).toContain("Stealer Logs");
  expect(searchOf(page)).toBe("");
  await leave();
}, 30_000);

test("clicking a row opens the alert through a single control; other controls in it keep working", async () => {
  opened.site.set();
  const { page, leave } = await opened.visit("/en/alerts", { viewport: { width: 1440, height: 1000 } });
  const row = page.locator("tbody tr").filter({ hasText: "Contoso" });
  const details = page.getByRole("dialog", { name: "Alert details" });
  for (const cell of [2, 5, 7]) {
    const box = await row.locator("td").nth(cell).boundingBox();
    await page.mouse.click((box?.x ?? 0) + (box?.width ?? 0) - 6, (box?.y ?? 0) + (box?.height ?? 0) - 6);
    await details.getByRole("heading", { name: "Contoso" }).waitFor();
    await page.keyboard.press("Escape");
    await details.waitFor({ state: "detached" });
  }
  await row.getByRole("checkbox").check();
  await row.getByRole("button", { name: /^Mark as handled/ }).click();
  await page.getByRole("dialog", { name: "Are you sure?" }).waitFor();
  await page.keyboard.press("Escape");
  expect(await details.count()).toBe(0);
  await row.getByRole("checkbox").focus();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await details.getByRole("heading", { name: "Contoso" }).waitFor();
  await leave();
}, 30_000);

test("the stolen data is on one line, most sensitive categories first", async () => {
  opened.site.set();
  const { page, leave } = await opened.visit("/en/alerts", { viewport: { width: 1440, height: 900 } });
  const data = page.locator("tbody tr").filter({ hasText: "Northwind" }).locator("td").nth(5);
  expect(await data.textContent()).toMatch(/^Passwords, Phone numbers\+5$/);
  expect((await data.locator("span").first().boundingBox())?.height).toBeLessThan(30);
  await leave();
}, 30_000);

test("the filters are in a row if there is room, and otherwise behind a button", async () => {
  opened.site.set();
  const { page, leave } = await opened.visit("/en/alerts", { viewport: { width: 1440, height: 900 } });
  await settled(page);
  const tops = async () => {
    const boxes = await page
      .locator("main")
      .locator("[role=radiogroup], input[type=search], select")
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect()).map(({ top, height }) => top + height / 2));
    return Math.max(...boxes) - Math.min(...boxes);
  };
  expect(await tops()).toBeLessThan(6);
  await page.setViewportSize({ width: 800, height: 900 });
  await page.getByRole("button", { name: "Filters" }).waitFor();
  expect(await page.getByLabel("Stolen data").isVisible()).toBe(false);
  await leave();
}, 30_000);

test("the filters narrow the list, are part of the URL and are restored from it", async () => {
  opened.site.set();
  const { page, leave } = await opened.visit("/en/alerts?state=all");
  await page.getByText("6 alerts", { exact: true }).waitFor();
  await page.getByLabel("Stolen data").selectOption({ label: "Passwords (4)" });
  await page.getByText("4 alerts", { exact: true }).waitFor();
  await page.getByLabel("Marked as").selectOption({ label: "Spam list (1)" });
  await page.getByText("1 alert", { exact: true }).waitFor();
  await page.getByText("Handled", { exact: true }).first().click();
  await page.getByRole("searchbox").fill("bottles");
  await page.waitForURL(/search=bottles/);
  expect(searchOf(page)).toBe("?state=handled&search=bottles&category=passwords&flag=spamList");
  await page.reload();
  await page.getByText("1 alert", { exact: true }).waitFor();
  await page.getByRole("button", { name: "99 Bottles", exact: true }).waitFor();
  expect(await page.getByLabel("Marked as").inputValue()).toBe("spamList");
  await page.getByRole("button", { name: "Clear filters" }).click();
  await page.waitForURL(/\?state=handled&search=bottles$/);
  await leave();
}, 30_000);

test("a column heading sorts the list, by pointer and by keyboard, and announces the order", async () => {
  opened.site.set();
  const { page, leave } = await opened.visit("/en/alerts?state=all");
  const heading = page.getByRole("columnheader", { name: "Service" });
  await heading.getByRole("button").click();
  await page.waitForURL(/sort=service/);
  await page.locator("th[aria-sort=ascending]").waitFor();
  await page.waitForFunction(() => document.querySelector("tbody button")?.textContent === "99 Bottles");
  await heading.getByRole("button").press("Enter");
  await page.locator("th[aria-sort=descending]").waitFor();
  await page.waitForFunction(() => document.querySelector("tbody button")?.textContent === "Ünïcode Söciety");
  await heading.getByRole("button").press("Space");
  await page.waitForURL(/alerts\?state=all$/);
  await page.locator("th[aria-sort]").filter({ hasText: "Severity" }).waitFor();
  await page.waitForFunction(() => document.querySelector("tbody button")?.textContent?.startsWith("Stealer Logs"));
  await leave();
}, 30_000);

test("cards are sorted with a select, in either direction", async () => {
  opened.site.set();
  const { page, leave } = await opened.visit("/en/alerts?state=all", NARROW);
  await page.getByLabel("Sort by").selectOption({ label: "Service" });
  await page.locator("main li").first().getByText("99 Bottles").waitFor();
  await page.getByRole("button", { name: "Order: ascending" }).click();
  await page.locator("main li").first().getByText("Ünïcode Söciety").waitFor();
  expect(searchOf(page)).toBe("?state=all&sort=service&direction=desc");
  await leave();
}, 30_000);

test("on a phone the filters are behind a button that shows how many are set", async () => {
  opened.site.set();
  const { page, leave } = await opened.visit("/en/alerts", { viewport: { width: 360, height: 800 } });
  await settled(page);
  const choice = page.getByLabel("Stolen data");
  expect(await choice.isVisible()).toBe(false);
  await page.getByRole("button", { name: "Filters" }).press("Enter");
  await choice.selectOption({ label: "Credit cards" });
  await page.getByRole("button", { name: "Filters, 1 set", expanded: true }).waitFor();
  await page.getByText("1 alert", { exact: true }).waitFor();
  await leave();
}, 30_000);

test("the export has the list's filters and order, in the current language", async () => {
  opened.site.set();
  const { page, leave } = await opened.visit("/de/alerts?flag=malware&sort=service&page=2");
  const link = page.getByRole("link", { name: "Als CSV exportieren" });
  expect(await link.getAttribute("href")).toBe(
    "/api/alerts.csv?state=pending&flag=malware&sort=service&direction=asc&language=de",
  );
  expect(await link.getAttribute("download")).not.toBeNull();
  await leave();
}, 30_000);

test("pages can be browsed, and a page that no longer exists leads to one that does", async () => {
  opened.site.set({ alerts: many(30) });
  const { page, leave } = await opened.visit("/en/alerts");
  await page.getByRole("button", { name: "Page 2" }).click();
  await page.getByRole("button", { name: "Service 29", exact: true }).waitFor();
  expect(searchOf(page)).toBe("?page=2");
  opened.site.stage.alerts = many(3);
  await page.reload();
  await page.getByRole("button", { name: "Service 2", exact: true }).waitFor();
  await page.waitForURL(/alerts$/);
  await leave();
}, 30_000);

test("an empty list states why: nothing yet, nothing pending, nothing handled, no match", async () => {
  const handled = alerts().filter(({ state }) => state === "handled");
  const pending = alerts().filter(({ state }) => state === "pending");
  for (const [path, list, words] of [
    ["", [], "No alerts"],
    ["?state=all", [], "No alerts"],
    ["", handled, "You’re all caught up"],
    ["?state=handled", pending, "No handled alerts"],
    ["?state=handled&search=zzz", pending, "No matching alerts"],
  ] as const) {
    opened.site.set({ alerts: [...list] });
    const { page, leave } = await opened.visit(`/en/alerts${path}`);
    await page.getByRole("heading", { name: words, exact: true }).waitFor();
    await leave();
  }
}, 60_000);

test("all filters can be cleared if nothing matches", async () => {
  opened.site.set();
  const path = "/en/alerts?search=zzz&flag=malware&category=names&state=handled";
  const { page, leave } = await opened.visit(path, { prepare: (page) => page.clock.install() });
  await page.getByRole("heading", { name: "No matching alerts" }).waitFor();
  await page.getByRole("searchbox").press("z");
  await page.locator("main").getByRole("button", { name: "Clear filters" }).last().click();
  await page.getByText("4 alerts", { exact: true }).waitFor();
  // What was typed last is not searched for later.
  await page.clock.runFor(1000);
  await page.getByText("Handled", { exact: true }).first().click();
  await page.waitForURL(/state=handled/);
  expect(searchOf(page)).toBe("?state=handled");
  expect(await page.getByRole("searchbox").inputValue()).toBe("");
  await leave();
}, 30_000);

test("a list that cannot be loaded says so and can be retried; a visible one stays", async () => {
  const failed = { "GET /api/alerts": { status: 500, body: { code: "GENERIC" as const } } };
  opened.site.set({ answers: failed });
  const { page, leave } = await opened.visit("/en/alerts?state=all");
  expect(await readFailure(page)).toBe("Your alerts could not be loaded");
  await page.getByRole("heading", { name: "Your alerts could not be loaded" }).waitFor();
  opened.site.stage.answers = {};
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByText("6 alerts", { exact: true }).waitFor();
  opened.site.stage.answers = failed;
  await page.getByRole("button", { name: /^Reopen: 99 Bottles/ }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Reopen" }).click();
  await page.getByText("The list could not be refreshed").waitFor();
  await page.getByRole("button", { name: "Contoso", exact: true }).waitFor();
  await leave();
}, 30_000);
