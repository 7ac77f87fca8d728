import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { navigationOf } from "../../web/navigation.ts";
import { openSite, settled } from "./browser.ts";
import { type Scene, scene } from "./fake_api.ts";
import { down, impaired, serviceStatus } from "./fake_service_status.ts";
import { type Screen, testScreens } from "./screens.ts";

const PATH = "/service-status";
const stranger: Partial<Scene> = { level: "unauthenticated" };
const failed = { "GET /api/service-status": { status: 500, body: { code: "GENERIC" as const } } };
const MINUTE = 60_000;

const SCREENS: Record<string, Screen> = {
  "service-status": { path: PATH, scene: stranger },
  "service-status of somebody signed in": { path: PATH },
  "service-status with one of every trouble": { path: PATH, scene: { ...stranger, serviceStatus: impaired() } },
  "service-status while all is down": { path: PATH, scene: { ...stranger, serviceStatus: down() } },
  "service-status that failed": { path: PATH, scene: { ...stranger, answers: failed } },
};

testScreens(SCREENS);

let opened: Awaited<ReturnType<typeof openSite>>;
beforeAll(async () => {
  opened = await openSite();
}, 120_000);
afterAll(() => opened.close());

const asked = () => opened.site.calls().filter((call) => call === "GET /api/service-status").length;

describe("the status page", () => {
  test("says in words what is wrong, with each source and channel", async () => {
    opened.site.set({ ...stranger, serviceStatus: impaired() });
    const { page, complaints, leave } = await opened.visit(`/en${PATH}`);
    await settled(page);
    expect(await page.title()).toBe("Service Status · Breachbell");
    expect(await page.getByRole("status").first().textContent()).toContain("Part of the service is impaired");
    const rows = await page.locator("main section li").allInnerTexts();
    const heads = rows.map((row) => row.split("\n").filter(Boolean).slice(0, 2));
    expect(heads).toEqual([
      ["Have I Been Pwned", "Paused"],
      ["XposedOrNot", "Having trouble"],
      ["The operator’s own list", "Works"],
      ["Example data", "Works"],
      ["Email", "Having trouble"],
      ["Telegram", "Resting"],
      ["Webhook", "Works"],
    ]);
    expect(rows[0]).toMatch(/Catalogue last read\s+yesterday\s+Oldest overdue check\s+3 hours ago/);
    expect(rows[1]).toMatch(/Catalogue last read\s+Not yet/);
    expect(await page.locator("main").textContent()).toContain("the oldest has been waiting for 25 minutes");
    expect(complaints).toEqual([]);
    await leave();
  }, 30_000);

  test("refreshes itself every minute, and never shows old news where the last look failed", async () => {
    opened.site.set(stranger);
    const { page, leave } = await opened.visit(`/en${PATH}`, {
      prepare: (one) => one.clock.install({ time: new Date() }),
    });
    await page.getByText("Everything works.").waitFor();
    expect(asked()).toBe(1);
    opened.site.stage.serviceStatus = impaired();
    await page.clock.fastForward(MINUTE);
    await page.getByText("Part of the service is impaired").waitFor();
    expect(asked()).toBe(2);
    opened.site.stage.answers = failed;
    await page.clock.fastForward(MINUTE);
    await page.getByRole("heading", { name: "The status could not be loaded" }).waitFor();
    expect(await page.getByText("Part of the service is impaired").count()).toBe(0);
    opened.site.stage.answers = {};
    opened.site.stage.serviceStatus = serviceStatus();
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByText("Everything works.").waitFor();
    await leave();
  }, 30_000);
});

describe("the sidebar", () => {
  test("has the status as its last entry before Logout", async () => {
    opened.site.set();
    const { page, leave } = await opened.visit("/en/dashboard");
    await settled(page);
    const entries = await page.locator(".mantine-AppShell-navbar .mantine-NavLink-root").allInnerTexts();
    expect(entries.slice(-2)).toEqual(["Service Status", "Logout"]);
    await page.getByRole("link", { name: "Service Status" }).click();
    await page.getByText("Everything works.").waitFor();
    expect(await page.getByRole("link", { name: "Service Status" }).getAttribute("aria-current")).toBe("page");
    await leave();
  }, 30_000);

  test("leads to the operator's page where there is one", async () => {
    const statusPageUrl = "https://status.example.org/";
    opened.site.set({ instance: { ...scene().instance, statusPageUrl } });
    const { page, leave } = await opened.visit("/en/dashboard");
    const link = page.locator(`a[href="${statusPageUrl}"]`);
    await link.waitFor();
    expect(await link.textContent()).toBe("Service Status");
    expect(await link.getAttribute("rel")).toBe("noopener noreferrer");
    expect(await page.locator('a[href="/en/service-status"]').count()).toBe(0);
    await leave();
  }, 30_000);

  test("navigationOf() knows no page outside before it knows the installation", () => {
    const urls = (instance?: Scene["instance"]) => navigationOf(instance).flatMap(({ url }) => url ?? []);
    expect(urls()).toEqual([]);
    expect(urls(scene().instance)).toEqual([]);
    expect(urls({ ...scene().instance, statusPageUrl: "https://status.example.org/" })).toEqual([
      "https://status.example.org/",
    ]);
  });
});
