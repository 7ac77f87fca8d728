import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { navigationOf } from "../../web/app/navigation.ts";
import { openSite, settled } from "./browser.ts";
import { readFailure } from "./failure.ts";
import { type Scene, scene } from "./fake_api.ts";
import { freshStatus, impaired, incidents, serviceNotice, serviceStatus } from "./fake_service_status.ts";
import { testScreens } from "./screens.ts";
import { SERVICE_STATUS_SCREENS } from "./service_status_screens.ts";

const PATH = "/service-status";
const stranger: Partial<Scene> = { level: "unauthenticated" };
const failed = { "GET /api/service-status": { status: 500, body: { code: "GENERIC" as const } } };
const MINUTE = 60_000;

testScreens(SERVICE_STATUS_SCREENS);

let opened: Awaited<ReturnType<typeof openSite>>;
beforeAll(async () => {
  opened = await openSite();
}, 120_000);
afterAll(() => opened.close());

const asked = () => opened.site.calls().filter((call) => call === "GET /api/service-status").length;

describe("the status page", () => {
  test("states what is wrong, for each source and channel", async () => {
    opened.site.set({ ...stranger, serviceStatus: impaired() });
    const { page, complaints, leave } = await opened.visit(`/en${PATH}`);
    await settled(page);
    expect(await page.title()).toEndWith("Service Status · Breachbell");
    expect(await page.getByRole("status").first().textContent()).toContain("Part of the service is degraded");
    const rows = await page.locator("[data-part] > li").allInnerTexts();
    const heads = rows.map((row) => row.split("\n").filter(Boolean).slice(0, 2));
    expect(heads).toEqual([
      ["Have I Been Pwned", "Paused"],
      ["XposedOrNot", "Degraded"],
      ["The operator’s own list", "Working"],
      ["Example data", "Working"],
      ["Email", "Degraded"],
      ["Telegram", "Paused"],
      ["Webhook", "Working"],
    ]);
    expect(rows[0]).toMatch(/Catalogue last read\s+yesterday\s+Oldest overdue check\s+3 hours ago/);
    expect(rows[1]).toMatch(/Catalogue last read\s+Not yet/);
    expect(await page.locator("main").textContent()).toContain("the oldest has been waiting for 25 minutes");
    expect(complaints).toEqual([]);
    await leave();
  }, 30_000);

  test("refreshes every minute, and never shows outdated data after a failed refresh", async () => {
    opened.site.set(stranger);
    const { page, leave } = await opened.visit(`/en${PATH}`, {
      prepare: (one) => one.clock.install({ time: new Date() }),
    });
    await page.getByText("Everything is working.").waitFor();
    expect(asked()).toBe(1);
    opened.site.stage.serviceStatus = impaired();
    await page.clock.fastForward(MINUTE);
    await page.getByText("Part of the service is degraded").waitFor();
    expect(asked()).toBe(2);
    opened.site.stage.answers = failed;
    await page.clock.fastForward(MINUTE);
    expect(await readFailure(page)).toBe("The status could not be loaded");
    expect(await page.getByText("Part of the service is degraded").count()).toBe(0);
    opened.site.stage.answers = {};
    opened.site.stage.serviceStatus = serviceStatus();
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByText("Everything is working.").waitFor();
    await leave();
  }, 30_000);
});

describe("the history", () => {
  test("states in words what its bars show, and shows each day on request by keyboard", async () => {
    opened.site.set(stranger);
    const { page, leave } = await opened.visit(`/en${PATH}`);
    await page.getByText("Everything is working.").waitFor();
    const source = page.locator('[data-part="sources"] > li');
    expect(await source.getByRole("img").getAttribute("aria-label")).toBe(
      "Last 90 days: 58 days without problems, 1 day with minor problems, 1 day with major ones, 30 days not measured.",
    );
    expect(await source.textContent()).toContain("99.5% of the measured time without problems");
    expect(await source.locator("svg[role=img] rect").count()).toBe(90);
    await source.locator("summary").focus();
    await page.keyboard.press("Enter");
    const rows = await source.getByRole("row").allInnerTexts();
    expect(rows.slice(0, 2).map((row) => row.split(/\s*\t\s*/).slice(1))).toEqual([
      ["Problems", "Measured"],
      ["–", "10 hours"],
    ]);
    expect(rows[13]).toContain("25 minutes");
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("SECTION");
    const [email, telegram] = await page.locator('[data-part="channels"] > li').allInnerTexts();
    expect(email).toContain("99.8% of messages accepted");
    expect(telegram).not.toContain("accepted");
    await leave();
  }, 30_000);

  test("states that there is none yet", async () => {
    opened.site.set({ ...stranger, serviceStatus: freshStatus() });
    const { page, leave } = await opened.visit(`/en${PATH}`);
    await page.getByText("There is no history yet").waitFor();
    expect(await page.locator("main svg[role=img]").count()).toBe(0);
    expect(await page.getByText("Too few alerts to tell").count()).toBe(2);
    await leave();
  }, 30_000);
});

describe("incidents", () => {
  test("are shown in the reader's language, or in English marked as such", async () => {
    opened.site.set({ ...stranger, serviceStatus: serviceStatus({ incidents: incidents() }) });
    const { page, leave } = await opened.visit(`/de${PATH}`);
    await page.getByText("Mails kommen verspätet an").waitFor();
    const first = page.locator("main li[id^=incident]").first();
    expect(await first.locator(":is(h2, h3) span").first().getAttribute("lang")).toBeNull();
    expect(await first.locator("[lang=en]").first().textContent()).toContain("Our mail provider is slow.");
    expect(await first.textContent()).toContain("Betrifft: E-Mail und Website");
    expect(await page.locator('a[href="/service-status.atom?language=de"]').count()).toBe(1);
    await leave();
  }, 30_000);

  test("are shown on login and dashboard, before other content, and link to the page", async () => {
    for (const [path, level] of [
      ["/login", "unauthenticated"],
      ["/dashboard", "authenticated"],
    ] as const) {
      const notice = serviceNotice();
      opened.site.set({ level, serviceNotice: notice, serviceStatus: serviceStatus({ incidents: incidents() }) });
      const { page, leave } = await opened.visit(`/en${path}`, {
        prepare: (one) =>
          one.addInitScript(() => {
            const shifts: number[] = [];
            Object.assign(window, { shifts });
            new PerformanceObserver((list) => {
              for (const entry of list.getEntries()) shifts.push((entry as unknown as { value: number }).value);
            }).observe({ type: "layout-shift", buffered: true });
          }),
      });
      await settled(page);
      const told = page.getByRole("complementary", { name: "Service notice" });
      expect(await told.textContent()).toContain("Mails arrive late");
      if (path === "/login") {
        const shifts: number[] = await page.evaluate(() => Reflect.get(window, "shifts"));
        // A late notice would cause a layout shift a hundred times as large.
        expect(shifts.reduce((sum, shift) => sum + shift, 0)).toBeLessThan(0.001);
      }
      await told.getByRole("link", { name: "Details" }).click();
      await page.getByRole("heading", { name: "Mails arrive late" }).waitFor();
      await leave();
    }
  }, 60_000);

  test("a notice that cannot be loaded causes neither a delay nor a failure", async () => {
    opened.site.set({ ...stranger, answers: { "GET /api/service-notice": { status: 500, body: {} } } });
    const { page, complaints, leave } = await opened.visit("/en/login");
    await page.getByRole("heading", { name: "Log in" }).waitFor();
    expect(await page.getByRole("complementary", { name: "Service notice" }).count()).toBe(0);
    expect(complaints.filter((complaint) => !complaint.includes("500"))).toEqual([]);
    await leave();
  }, 30_000);
});

describe("the sidebar", () => {
  test("has the status after all entries of the specification; Logout is last", async () => {
    opened.site.set();
    const { page, leave } = await opened.visit("/en/dashboard");
    await settled(page);
    const entries = await page.locator("[data-frame=app] > nav [data-tip]").allInnerTexts();
    expect(entries.filter((entry) => entry !== "Collapse menu")).toEqual([
      ...["Dashboard", "Track New Email", "Alerts", "Test Alerts", "Purchase Subscription", "View Profile"],
      ...["Edit Profile", "Support", "Suggestions", "Service Status", "Contacts", "Domains"],
      "Logout",
    ]);
    await page.getByRole("link", { name: "Service Status" }).click();
    await page.getByText("Everything is working.").waitFor();
    expect(await page.getByRole("link", { name: "Service Status" }).getAttribute("aria-current")).toBe("page");
    await leave();
  }, 30_000);

  test("links to the operator's page if there is one", async () => {
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

  test("navigationOf() includes no external page before the installation is known", () => {
    const urls = (instance?: Scene["instance"]) => navigationOf(instance).flatMap(({ url }) => url ?? []);
    expect(urls()).toEqual([]);
    expect(urls(scene().instance)).toEqual([]);
    expect(urls({ ...scene().instance, statusPageUrl: "https://status.example.org/" })).toEqual([
      "https://status.example.org/",
    ]);
  });
});
