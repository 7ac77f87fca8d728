import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { openSite, settled } from "./browser.ts";
import { ago, HOUR } from "./fake_alerts.ts";
import { monitoring, undisclosed } from "./fake_consent.ts";
import { asked, traces } from "./fake_traces.ts";

const SCREEN = "/en/screen-track/alice.archer%40example.com";
const CALLS = /monitoring\/traces/;

let opened: Awaited<ReturnType<typeof openSite>>;
beforeAll(async () => {
  opened = await openSite();
}, 120_000);
afterAll(() => opened.close());

const sectionOf = (page: Page) => page.getByRole("region", { name: "Pastes and stealer logs" });
const calls = () => opened.site.calls().filter((call) => CALLS.test(call) && !call.startsWith("GET"));

test("pastes and stealer logs are asked for with a button that says what is sent", async () => {
  opened.site.set();
  const { page, leave } = await opened.visit(SCREEN);
  const section = sectionOf(page);
  await section.getByText("This sends your full address to Have I Been Pwned, encrypted in transit.").waitFor();
  expect(calls()).toEqual([]);
  await section.getByRole("button", { name: "Ask Have I Been Pwned" }).click();
  await section.getByText("Clean your device first").waitFor();
  expect(calls()).toEqual(["POST /api/monitoring/traces"]);
  await section.getByText("2 of 9 done").waitFor();
  expect(await section.getByRole("button", { name: "Ask again" }).isDisabled()).toBe(true);
  await section.getByText(/^You can ask again from \d/).waitFor();
  const words = (await section.textContent()) ?? "";
  expect(words.indexOf("Clean your device first")).toBeGreaterThan(0);
  expect(words.indexOf("Clean your device first")).toBeLessThan(words.indexOf("accounts.google.com"));
  expect(words).toContain("Untitleddate unknown · 30,412 addresses");
  const links = await section.getByRole("link").evaluateAll((all) => all.map((one) => one.getAttribute("href")));
  expect(links).toEqual(["https://paste.example/dump.txt"]);
  await leave();
}, 30_000);

test("sites are ticked at once; a failure is told and taken back", async () => {
  opened.site.set({ traces: asked() });
  const { page, leave } = await opened.visit(SCREEN);
  const section = sectionOf(page);
  await section.getByRole("checkbox", { name: "paypal.com" }).check();
  await section.getByText("3 of 9 done").waitFor();
  await settled(page);
  expect(opened.site.stage.traces.sites?.find(({ site }) => site === "paypal.com")?.done).toBe(true);
  opened.site.stage.answers = {
    "PUT /api/monitoring/traces/sites": { status: 500, body: { code: "GENERIC" } },
  };
  await section.getByRole("checkbox", { name: "github.com" }).click();
  await page.getByRole("dialog", { name: "The change could not be saved" }).waitFor();
  await page.keyboard.press("Escape");
  await section.getByText("3 of 9 done").waitFor();
  expect(await section.getByRole("checkbox", { name: "github.com" }).isChecked()).toBe(false);
  await leave();
}, 30_000);

test("asking too soon, from another tab, says so and when it may be asked again", async () => {
  opened.site.set({
    traces: traces(),
    answers: {
      "POST /api/monitoring/traces": { status: 429, body: { code: "TRACES_ASKED_RECENTLY", retryAfter: 3000 } },
    },
  });
  const { page, leave } = await opened.visit(SCREEN);
  const section = sectionOf(page);
  const ask = section.getByRole("button", { name: "Ask Have I Been Pwned" });
  await ask.waitFor();
  opened.site.stage.traces = asked({ askAgainAt: ago(-HOUR) });
  await ask.click();
  await page.getByRole("dialog").getByText("This was asked within the last hour").waitFor();
  await page.keyboard.press("Escape");
  await section.getByText("2 of 9 done").waitFor();
  await section.getByText(/^You can ask again from \d/).waitFor();
  await leave();
}, 30_000);

test("their source is credited even if another one found the breaches", async () => {
  const findings = monitoring().findings.map(({ breach, ...finding }) => ({
    ...finding,
    sources: ["xposedornot"],
    breach: breach && { ...breach, name: `xposedornot:${breach.name}` },
  }));
  for (const [before, credits] of [
    [traces(), "Breach data: XposedOrNot."],
    [asked(), "Breach data: Have I Been Pwned (CC BY 4.0), XposedOrNot."],
  ] as const) {
    opened.site.set({ monitoring: monitoring({ findings }), traces: before });
    const { page, leave } = await opened.visit(SCREEN);
    await sectionOf(page).waitFor();
    await page.getByText(/^Breach data: /).waitFor();
    expect(await page.getByText(/^Breach data: /).textContent()).toBe(credits);
    await leave();
  }
}, 30_000);

test("a long list shows its first entries, and all on request", async () => {
  const sites = Array.from({ length: 45 }, (_, n) => ({ site: `site${n}.example`, done: false }));
  opened.site.set({ traces: asked({ sites, pastes: [] }) });
  const { page, leave } = await opened.visit(SCREEN);
  const section = sectionOf(page);
  await section.getByText("0 of 45 done").waitFor();
  expect(await section.getByRole("checkbox").count()).toBe(20);
  await section.getByRole("button", { name: "Show all 45" }).click();
  expect(await section.getByRole("checkbox").count()).toBe(45);
  await section.getByText("Have I Been Pwned knows of no paste with your address.").waitFor();
  await leave();
}, 30_000);

test("the section is absent where a source has nothing to offer, and for other people's addresses", async () => {
  opened.site.set({ traces: traces({ source: null, offers: { pastes: false, sites: false } }) });
  const own = await opened.visit(SCREEN);
  await settled(own.page);
  expect(await own.page.getByRole("heading", { name: /^Pastes/ }).count()).toBe(0);
  await own.leave();
  opened.site.set({ monitoring: undisclosed() });
  const { page, leave } = await opened.visit(SCREEN);
  await settled(page);
  expect(await page.getByRole("heading", { name: /^Pastes/ }).count()).toBe(0);
  expect(opened.site.calls().filter((call) => CALLS.test(call))).toEqual([]);
  await leave();
}, 30_000);

test("without stealer logs in the subscription only pastes are mentioned", async () => {
  opened.site.set({ traces: traces({ offers: { pastes: true, sites: false } }) });
  const { page, leave } = await opened.visit(SCREEN);
  await page.getByRole("region", { name: "Pastes", exact: true }).getByRole("button").waitFor();
  expect(await page.locator("main").textContent()).not.toContain("stealer");
  await leave();
}, 30_000);
