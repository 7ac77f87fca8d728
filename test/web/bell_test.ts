import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Alert } from "../../web/api/api.ts";
import { openSite, settled } from "./browser.ts";
import { ago, alerts, HOUR } from "./fake_alerts.ts";

let opened: Awaited<ReturnType<typeof openSite>>;
beforeAll(async () => {
  opened = await openSite();
}, 120_000);
afterAll(() => opened.close());

/** One alert found and one that became worse after the bell was last opened. */
function news() {
  const [first, second, ...others] = alerts() as [Alert, Alert, ...Alert[]];
  const list = [{ ...first, raisedAt: ago(HOUR) }, { ...second, worsenedAt: ago(2 * HOUR) }, ...others];
  return { alerts: list, seenAt: ago(3 * HOUR) };
}

test("the bell counts what is new since it was last opened, marks it, and then counts nothing", async () => {
  const scene = news();
  opened.site.set(scene);
  const { page, leave } = await opened.visit("/en/dashboard");
  const bell = page.getByRole("button", { name: "Notifications, 2 new" });
  await bell.press("Enter");
  const panel = page.locator("header ul");
  await page.getByText("2 new alerts").waitFor();
  expect(await panel.getByText("New", { exact: true }).count()).toBe(2);
  expect(await panel.getByRole("listitem").first().textContent()).toContain("Northwind Cinemas");
  expect(await panel.getByRole("listitem").nth(1).textContent()).toContain("Now more serious");
  await page.getByRole("button", { name: "Notifications", exact: true, expanded: true }).waitFor();
  expect(await panel.getByText("New", { exact: true }).count()).toBe(2);
  expect(opened.site.requests.filter(({ call }) => call.startsWith("POST"))).toEqual([
    { call: "POST /api/bell/seen", body: { until: scene.alerts[0]?.raisedAt } },
  ]);
  await page.keyboard.press("Escape");
  await panel.waitFor({ state: "detached" });
  expect(await page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toBe("Notifications");
  await page.reload();
  await page.getByRole("button", { name: "Notifications", exact: true }).click();
  await page.getByText("No new alerts").waitFor();
  expect(await panel.getByText("New", { exact: true }).count()).toBe(0);
  await leave();
}, 30_000);

test("the latest ten link to their details, and all to the list", async () => {
  const [first] = alerts() as [Alert];
  const list = Array.from({ length: 12 }, (_, index) => ({ ...first, id: `n${index}`, raisedAt: ago(index * HOUR) }));
  opened.site.set({ alerts: list });
  const { page, leave } = await opened.visit("/en/dashboard");
  await page.getByRole("button", { name: "Notifications, 12 new" }).click();
  const entries = page.locator("header li a");
  expect(await entries.count()).toBe(10);
  expect(await entries.first().getAttribute("href")).toBe("/en/alerts?alert=n0");
  await page.getByRole("link", { name: "View all" }).click();
  await page.waitForURL("**/en/alerts");
  await page.getByText("12 alerts", { exact: true }).waitFor();
  await leave();
}, 30_000);

test("the panel closes when the focus or the pointer moves elsewhere", async () => {
  opened.site.set();
  const { page, leave } = await opened.visit("/en/alerts");
  await settled(page);
  const panel = page.locator("header ul");
  await page.getByRole("button", { name: "Notifications, 4 new" }).press("Enter");
  await panel.waitFor();
  await page.getByRole("link", { name: "View all" }).focus();
  await page.keyboard.press("Tab");
  await panel.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Notifications", exact: true }).click();
  await panel.waitFor();
  await page.getByRole("heading", { name: "Alerts", exact: true }).click();
  await panel.waitFor({ state: "detached" });
  await leave();
}, 30_000);

test("without alerts the bell says so, as it does without a response", async () => {
  opened.site.set({ alerts: [] });
  const empty = await opened.visit("/en/dashboard");
  await empty.page.getByRole("button", { name: "Notifications", exact: true }).click();
  await empty.page.getByText("No alerts yet.").waitFor();
  await empty.leave();
  opened.site.set({ answers: { "GET /api/bell": { status: 500, body: { code: "GENERIC" } } } });
  const failed = await opened.visit("/en/dashboard");
  await failed.page.getByRole("button", { name: "Notifications", exact: true }).click();
  await failed.page.getByText("The alerts could not be loaded.").waitFor();
  await failed.leave();
}, 30_000);
