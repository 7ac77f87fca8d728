import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { openSite, settled } from "./browser.ts";
import type { Scene } from "./fake_api.ts";
import { paidPlan } from "./fake_billing.ts";
import { manyContacts, ownContact } from "./fake_contacts.ts";
import { domain } from "./fake_domains.ts";

let opened: Awaited<ReturnType<typeof openSite>>;
beforeAll(async () => {
  opened = await openSite();
}, 120_000);
afterAll(() => opened.close());

async function visit(path: string, scene: Partial<Scene> = {}) {
  opened.site.set(scene);
  const visited = await opened.visit(`/en${path}`, { viewport: { width: 1440, height: 900 } });
  await settled(visited.page);
  return visited;
}

/** Presses a button as a user of the keyboard does. */
async function press(page: Page, name: string | RegExp, role: "button" | "menuitem" = "button") {
  const button = page.getByRole(role, { name }).first();
  await button.focus();
  await page.keyboard.press("Enter");
}

/** Waits until the focus is on an element with this name or text. */
async function focusOn(page: Page, name: RegExp) {
  await page.waitForFunction(
    ({ source }) => {
      const focused = document.activeElement;
      const said = focused?.getAttribute("aria-label") ?? focused?.textContent ?? "";
      return focused !== document.body && new RegExp(source).test(said);
    },
    { source: name.source },
    { timeout: 5000 },
  );
}

test("a button that is disabled while its call is under way keeps the focus", async () => {
  const { page, leave } = await visit("/contacts");
  opened.site.answerAfter((call) => (call === "POST /api/test-alerts" ? 300 : 0));
  await press(page, /^Send a test to alice/);
  await page.waitForFunction(() => document.activeElement === document.body);
  await focusOn(page, /^Send a test to alice/);
  opened.site.answerAfter(() => 0);
  await leave();
}, 30_000);

test("after a domain check the focus stays on its button", async () => {
  const answers = {
    "POST /api/domains/d1/check": { status: 200, body: { state: "pending", found: false, reason: null } },
  };
  const domains = [domain({ state: "pending", provenAt: null })];
  const { page, leave } = await visit("/domains/d1", { answers, domains });
  await press(page, "Check now");
  await page.getByText("Not there yet.").waitFor();
  await focusOn(page, /^Check now/);
  await leave();
}, 30_000);

test("the focus leaves a button that stays disabled for its neighbour", async () => {
  const { page, leave } = await visit("/subscription", { subscription: paidPlan() });
  await page.getByLabel("Quantity of Professional").fill("3");
  await press(page, "Change my plan");
  await page.getByRole("dialog").waitFor();
  opened.site.stage.subscription = paidPlan({ quantity: 3, cap: 30 });
  await press(page, /^(Pay|Change the plan)/);
  await page.getByRole("button", { name: "This is your plan" }).waitFor();
  await focusOn(page, /Professional/);
  await leave();
}, 30_000);

test("the last press on “fewer” keeps the focus, and more of them change nothing", async () => {
  const { page, leave } = await visit("/subscription");
  await page.getByLabel("Quantity of Personal").fill("2");
  await press(page, "One Personal fewer");
  await page.keyboard.press("Enter");
  expect(await page.getByLabel("Quantity of Personal").inputValue()).toBe("1");
  await focusOn(page, /^One Personal fewer/);
  await leave();
}, 30_000);

test("when a row of a list is removed, the focus goes to the same button of the next one", async () => {
  const { page, leave } = await visit("/contacts", {
    contacts: [...manyContacts().filter(({ id }) => id === "c7"), ownContact()],
  });
  const buttons = page.getByRole("list", { name: "Your contacts" }).getByRole("button", { name: /^Remove / });
  const names = await buttons.evaluateAll((all) => all.map((one) => one.getAttribute("aria-label") ?? ""));
  const at = names.findIndex((name) => name.startsWith("Remove uQiRz"));
  await press(page, /^Remove uQiRz/);
  await press(page, "Remove contact");
  await page.getByRole("button", { name: /^Remove uQiRz/ }).waitFor({ state: "detached" });
  const next = names[at + 1] ?? names[at - 1] ?? "none";
  await focusOn(page, new RegExp(RegExp.escape(next)));
  await leave();
}, 30_000);

test("a handled alert that leaves the list passes the focus on, the last one to the heading", async () => {
  const { page, leave } = await visit("/alerts?state=pending");
  const buttons = page.getByRole("button", { name: /^Mark as handled: / });
  const names = await buttons.evaluateAll((all) => all.map((one) => one.getAttribute("aria-label") ?? ""));
  expect(names.length).toBeGreaterThan(1);
  for (const [index, name] of names.entries()) {
    await press(page, new RegExp(RegExp.escape(name)));
    await page.getByRole("dialog").getByLabel("Note").focus();
    await page.getByRole("dialog").getByRole("button", { name: "Mark as handled" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await focusOn(page, new RegExp(RegExp.escape(names[index + 1] ?? "Alerts")));
    if (index === 1) break;
  }
  await leave();
}, 60_000);

test("a dialog that was opened from a menu returns the focus to the menu’s button", async () => {
  const { page, leave } = await visit("/dashboard");
  await press(page, /^More for alice/);
  await press(page, "Remove", "menuitem");
  await page.getByRole("dialog").waitFor();
  await page.keyboard.press("Escape");
  await focusOn(page, /^More for alice/);
  await leave();
}, 30_000);
