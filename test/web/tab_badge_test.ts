import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Alert } from "../../web/api/api.ts";
import { openSite, settled } from "./browser.ts";
import { ago, alerts, HOUR } from "./fake_alerts.ts";

let opened: Awaited<ReturnType<typeof openSite>>;
beforeAll(async () => {
  opened = await openSite();
}, 120_000);
afterAll(() => opened.close());

test("the tab's icon and the app's badge show open alerts, and are cleared on logout; the title has no number", async () => {
  const [first, second, ...others] = alerts() as [Alert, Alert, ...Alert[]];
  opened.site.set({ alerts: [first, second] });
  const { page, leave } = await opened.visit("/en/dashboard", {
    prepare: async (page) => {
      await page.clock.install();
      await page.addInitScript(() => {
        const worn: number[] = [];
        Object.assign(globalThis, { worn });
        Object.assign(Navigator.prototype, {
          setAppBadge: async (count: number) => void worn.push(count),
          clearAppBadge: async () => void worn.push(0),
        });
      });
    },
  });
  const wears = (count: number) =>
    page.waitForFunction((wanted) => (globalThis as unknown as { worn: number[] }).worn.at(-1) === wanted, count);
  const icon = () => page.evaluate(() => document.querySelector('link[rel="icon"]')?.getAttribute("href"));
  const worn = () => page.evaluate(() => (globalThis as unknown as { worn: number[] }).worn);
  await wears(2);
  expect(await page.title()).toBe("Dashboard · Breachbell");
  expect(await icon()).toBe("/favicon-alert.svg");
  const dot = await page.request.get(`${opened.site.origin}/favicon-alert.svg`);
  expect(dot.headers()["content-type"]).toStartWith("image/svg+xml");

  opened.site.stage.alerts = [{ ...first, id: "n1", raisedAt: ago(HOUR) }, first, second, ...others];
  const pending = opened.site.stage.alerts.filter(({ state }) => state === "pending").length;
  await page.clock.runFor(16_000);
  await wears(pending);
  opened.site.stage.alerts = [];
  await page.clock.runFor(16_000);
  await wears(0);
  expect(await icon()).toBe("/favicon.svg");
  expect(await worn()).toEqual([2, pending, 0]);

  opened.site.stage.alerts = [first];
  await page.clock.runFor(16_000);
  await wears(1);
  expect(await icon()).toBe("/favicon-alert.svg");
  expect(await page.title()).toBe("Dashboard · Breachbell");
  opened.site.stage.level = "unauthenticated";
  await page.getByRole("button", { name: "Logout" }).click();
  await page.getByRole("heading", { level: 1, name: "Log in" }).waitFor();
  await wears(0);
  expect(await icon()).toBe("/favicon.svg");
  await leave();
}, 60_000);

test("a hidden tab keeps counting, and tells the server that it is hidden", async () => {
  opened.site.set({ alerts: [] });
  const heads: (string | undefined)[] = [];
  const { page, leave } = await opened.visit("/en/dashboard", {
    prepare: async (page) => {
      await page.clock.install();
      page.on("request", (request) => {
        if (request.url().endsWith("/api/bell")) heads.push(request.headers()["x-unattended"]);
      });
    },
  });
  await settled(page);
  await page.evaluate(() => {
    Object.defineProperty(document, "hidden", { value: true });
    Object.defineProperty(document, "visibilityState", { value: "hidden" });
    document.dispatchEvent(new Event("visibilitychange"));
  });
  opened.site.stage.alerts = alerts().slice(0, 1);
  await page.clock.runFor(90_000);
  await page.locator('link[rel="icon"][href="/favicon-alert.svg"]').waitFor({ state: "attached" });
  expect(heads[0]).toBeUndefined();
  expect(heads.at(-1)).toBe("1");
  await leave();
}, 30_000);
