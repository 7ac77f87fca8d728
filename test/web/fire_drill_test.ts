import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { openSite, settled } from "./browser.ts";
import { ALICE, ago, HOUR } from "./fake_alerts.ts";
import { scene } from "./fake_api.ts";
import { delivery } from "./fake_contacts.ts";
import { drillAlert, fireDrill } from "./fake_drill.ts";

let opened: Awaited<ReturnType<typeof openSite>>;
beforeAll(async () => {
  opened = await openSite();
}, 120_000);
afterAll(() => opened.close());

const section = (page: Page) => page.getByRole("region", { name: "Fire drill" });
const acts = () => opened.site.requests.filter(({ call }) => !call.startsWith("GET"));
const arrived = (ms: number) => ago(HOUR - ms);

describe("the fire drill", () => {
  test("runs from its start through its deliveries to its end, and survives a reload", async () => {
    opened.site.set({ deliveries: [] });
    const { page, leave } = await opened.visit("/en/test-alerts");
    const drill = section(page);
    const choice = drill.getByLabel("Address of the drill");
    await choice.waitFor();
    expect(await choice.locator("option").allTextContents()).toEqual([
      ...[ALICE, "bob@example.org", "new@example.net"],
    ]);
    await choice.selectOption("bob@example.org");
    await drill.getByText("Not confirmed").waitFor();
    await choice.selectOption(ALICE);
    await drill.getByRole("button", { name: "Start the fire drill" }).press("Enter");
    await drill.getByText("The messages are being prepared.").waitFor();
    expect(acts()).toEqual([{ call: "POST /api/fire-drill", body: { associationId: "a1" } }]);
    await page.waitForFunction(() => document.activeElement?.id === "fire-drill");

    // The server reports them one by one; the page polls.
    const { stage } = opened.site;
    const start = Date.parse(stage.drill?.startedAt ?? "");
    const first = delivery("d1", { at: new Date(start + 2000).toISOString() });
    stage.deliveries = [first, delivery("d2", { state: "sending", value: "bob@example.org" })];
    await drill.getByText("Being sent").waitFor();
    expect(await drill.getByRole("status").textContent()).toBe("");
    const second = delivery("d2", { value: "bob@example.org", at: new Date(start + 4000).toISOString() });
    stage.deliveries = [first, second];
    await drill.getByText("It works: 2 of 2 contacts reached in 4 seconds.").waitFor();
    await page.reload();
    await drill.getByText("It works: 2 of 2 contacts reached in 4 seconds.").waitFor();

    await drill.getByRole("button", { name: "Mark as handled" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Mark as handled" }).click();
    await drill.getByText("Everything worked, from detection to handling.").waitFor();
    await drill.getByRole("button", { name: "End the drill and delete it" }).click();
    await page.getByText("The fire drill has ended. Nothing was kept.").waitFor();
    await drill.getByRole("button", { name: "Start the fire drill" }).waitFor();
    expect(acts().slice(1)).toEqual([
      { call: "POST /api/alerts/drill1/handle", body: { version: 1 } },
      { call: "DELETE /api/fire-drill", body: undefined },
    ]);
    await leave();
  }, 60_000);

  test("shows pending and rejected messages with the reasons, and where to fix them", async () => {
    const deliveries = [
      delivery("d1", { at: arrived(4000) }),
      delivery("d2", { state: "waiting", reason: "quiet", channel: "telegram", value: "alice_bell" }),
    ];
    opened.site.set({ drill: fireDrill(), deliveries });
    const { page, leave } = await opened.visit("/en/test-alerts");
    const drill = section(page);
    await drill.getByText("1 of 2 contacts reached so far.").waitFor();
    await drill.getByText("It will be sent after the quiet hours.").waitFor();
    opened.site.stage.deliveries = [
      ...deliveries.slice(0, 1),
      delivery("d2", { state: "refused", reason: "refused", value: "gone@example.net" }),
    ];
    await drill.getByText("1 of 2 contacts reached.", { exact: true }).waitFor();
    const link = drill.getByRole("status").getByRole("link", { name: "See your contacts" });
    expect(await link.getAttribute("href")).toBe("/en/contacts");
    await leave();
  }, 60_000);

  test("is no longer polled once it is handled and all messages have ended", async () => {
    const done = fireDrill({ state: "handled", handledAt: ago(HOUR / 2), version: 2 });
    opened.site.set({ drill: done, deliveries: [delivery("d1", { at: arrived(1000) })] });
    const { page, leave } = await opened.visit("/en/test-alerts", { prepare: (one) => one.clock.install() });
    await section(page).getByText("It works: 1 of 1 contact reached in 1 second.").waitFor();
    const looks = () => opened.site.calls().filter((call) => /fire-drill|deliveries/.test(call)).length;
    const before = looks();
    await page.clock.runFor(60_000);
    await page.evaluate(() => fetch("/api/me"));
    expect(looks()).toBe(before);
    await leave();
  }, 60_000);

  test("that is started or handled elsewhere meanwhile, or has ended, shows its current state", async () => {
    opened.site.set({ answers: { "POST /api/fire-drill": { status: 409, body: { code: "DRILL_RUNNING" } } } });
    const { page, leave } = await opened.visit("/en/test-alerts");
    const drill = section(page);
    await drill.getByRole("button", { name: "Start the fire drill" }).waitFor();
    opened.site.stage.drill = fireDrill();
    await drill.getByRole("button", { name: "Start the fire drill" }).click();
    await page.getByRole("dialog").getByText("A fire drill is already running.").waitFor();
    await page.keyboard.press("Escape");
    await drill.getByText("Made-up breach detected").waitFor();
    Object.assign(opened.site.stage.drill, { state: "handled", handledAt: ago(0), version: 2 });
    await drill.getByRole("button", { name: "Mark as handled" }).waitFor({ state: "detached" });
    opened.site.stage.drill = null;
    await drill.getByRole("button", { name: "End the drill and delete it" }).click();
    await drill.getByRole("button", { name: "Start the fire drill" }).waitFor();
    await leave();
  }, 60_000);

  test("requires a monitored address, and finds one among many", async () => {
    const [first] = scene().associations;
    if (!first) throw new Error("The scene has no address");
    opened.site.set({ associations: [{ ...first, status: "inactive" }] });
    const none = await opened.visit("/en/test-alerts");
    const link = section(none.page).getByRole("link", { name: "Go to your addresses" });
    expect(await link.getAttribute("href")).toBe("/en/dashboard");
    await none.leave();
    const many = Array.from({ length: 40 }, (_, index) => ({
      ...first,
      id: `m${index}`,
      address: `person-${index}@example.org`,
    }));
    opened.site.set({ associations: many });
    const { page, leave } = await opened.visit("/en/test-alerts");
    const drill = section(page);
    await drill.getByLabel("Find an address").fill("person-33");
    await drill.getByRole("option", { name: "person-33@example.org" }).waitFor({ state: "attached" });
    await drill.locator("option").nth(1).waitFor({ state: "detached" });
    await drill.getByLabel("Find an address").fill("nobody");
    await drill.getByText("No address being checked matches your search.").waitFor();
    await leave();
  }, 60_000);
});

describe("during a fire drill", () => {
  const associations = scene().associations.map((one) => ({ ...one, pendingAlerts: Math.min(1, one.pendingAlerts) }));
  const alone = () => opened.site.set({ drill: fireDrill(), alerts: [drillAlert()], associations });

  test("the list, the bell and the dashboard describe its alert in the reader's language, and credit no source", async () => {
    alone();
    const { page, leave } = await opened.visit("/de/alerts", { viewport: { width: 1440, height: 900 } });
    await settled(page);
    const row = page.locator("main tbody tr");
    expect(await row.getByRole("button", { name: "Probealarm", exact: true }).count()).toBe(2);
    expect(await page.locator("main").textContent()).not.toContain("Fire drill");
    expect(await page.getByText("Have I Been Pwned").count()).toBe(0);
    await page.getByRole("button", { name: /Benachrichtigungen/ }).click();
    await page.getByText("Probealarm: nichts gestohlen").waitFor();
    await page.goto(`${opened.site.origin}/de/dashboard`);
    await page.getByText("Das ist Ihr Probealarm: Es wurde nichts gestohlen.").waitFor();
    const marked = page.getByRole("row").filter({ has: page.getByText("Probealarm", { exact: true }) });
    expect(await marked.getByRole("rowheader").allTextContents()).toEqual([ALICE]);
    await leave();
  }, 60_000);

  test("its details state first that it is a drill, and next to the advice that nothing has to be changed", async () => {
    alone();
    const { page, leave } = await opened.visit("/en/alerts?alert=drill1");
    const dialog = page.getByRole("dialog");
    await dialog.getByText("As this is a drill, you don’t need to change anything.").waitFor();
    const text = (await dialog.textContent()) ?? "";
    const note = "This is a drill that you started yourself.";
    expect(text.split(note)).toHaveLength(2);
    expect(text.indexOf(note)).toBeLessThan(text.indexOf("Stolen data"));
    expect(text.indexOf("As this is a drill")).toBeLessThan(text.indexOf("Change"));
    expect(text).not.toContain("Breach data");
    await leave();
  }, 60_000);
});
