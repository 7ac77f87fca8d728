import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { openSite, settled } from "./browser.ts";
import { readFailure } from "./failure.ts";
import type { Scene } from "./fake_api.ts";
import { anOrder, refusal } from "./fake_billing.ts";

let opened: Awaited<ReturnType<typeof openSite>>;
beforeAll(async () => {
  opened = await openSite();
}, 120_000);
afterAll(() => opened.close());

const processing = anOrder({ state: "processing", periodEnd: null });
const asked = () => opened.site.requests.filter(({ call }) => call === "POST /api/order-success");

async function visit(scene: Partial<Scene>, prepare?: (page: Page) => Promise<unknown>) {
  opened.site.set(scene);
  const visited = await opened.visit("/en/success-order#t=cs_1", prepare && { prepare });
  await visited.page.locator("h1").waitFor();
  return visited;
}

/** Advances the page's clock. */
const later = (page: Page, ms: number) => page.clock.runFor(ms);

async function becomes(page: Page, state: "visible" | "hidden") {
  await page.evaluate((value) => {
    Object.defineProperty(document, "visibilityState", { configurable: true, get: () => value });
    document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
  }, state);
}

test("a paid order shows the account, the plan, the amount and the next steps", async () => {
  const { page, leave } = await visit({});
  await page.getByRole("heading", { name: "Thank you. Your plan is active." }).waitFor();
  for (const words of [
    "Alice Archer",
    "alice.archer@example.com",
    "2 × Professional",
    "Yearly",
    "CHF 176.64",
    "20 addresses",
  ])
    await page.getByRole("definition").getByText(words, { exact: true }).waitFor();
  await page.getByText("Track more addresses: you have room for 16 more.").waitFor();
  await page.getByText("no money changes hands").waitFor();
  expect(await page.title()).toEndWith("Your order · Breachbell");
  expect(asked().map(({ body }) => body)).toEqual([{ session: "cs_1" }]);
  await page.getByRole("link", { name: "Go to the dashboard" }).click();
  await page.waitForURL("**/en/dashboard");
  await leave();
}, 30_000);

test("the session id is removed from the URL, and a reload still has it", async () => {
  const { page, leave } = await visit({});
  await page.getByText("CHF 176.64").waitFor();
  expect(new URL(page.url()).hash).toBe("");
  await page.reload();
  await page.getByText("CHF 176.64").waitFor();
  await leave();
}, 30_000);

test("before the payment is confirmed it says so and polls, except while the tab is hidden", async () => {
  const { page, leave } = await visit({ order: processing }, (page) => page.clock.install());
  await page.getByRole("heading", { name: "Your payment is being processed" }).waitFor();
  expect(asked()).toHaveLength(1);
  await becomes(page, "hidden");
  await later(page, 60_000);
  expect(asked()).toHaveLength(1);
  await becomes(page, "visible");
  while (asked().length < 3) await later(page, 1000);
  await page.getByRole("heading", { name: "Your payment is being processed" }).waitFor();
  opened.site.stage.order = anOrder();
  const paid = page.getByRole("heading", { name: "Thank you. Your plan is active." });
  while (!(await paid.isVisible())) await later(page, 1000);
  const settledAt = asked().length;
  await later(page, 120_000);
  expect(asked()).toHaveLength(settledAt);
  await leave();
}, 30_000);

test("a visitor without a session sees the account masked, and a link to the login", async () => {
  const order = anOrder({ own: false, account: { name: null, email: "a•••@example.com" }, tracked: null });
  const { page, leave } = await visit({ level: "unauthenticated", order });
  await page.getByText("a•••@example.com").waitFor();
  await page.getByText("Log in with this account to use your plan.").waitFor();
  await page.getByRole("link", { name: "Go to login" }).click();
  await page.waitForURL("**/en/login");
  await leave();
}, 30_000);

test("an invalid or foreign session id is an unknown order, and without one nothing is asked", async () => {
  const { page, leave } = await visit({ answers: { "POST /api/order-success": refusal(404, "ORDER_NOT_FOUND") } });
  const alert = page.getByRole("alert");
  await alert.getByRole("heading", { name: "This purchase was not found" }).waitFor();
  await alert.getByText("This link is invalid, or there is no such purchase.").waitFor();
  await alert.getByRole("link", { name: "Go to the plans" }).waitFor();
  await leave();
  opened.site.set();
  const bare = await opened.visit("/en/success-order");
  await settled(bare.page);
  await bare.page.getByRole("heading", { name: "Which purchase is this about?" }).waitFor();
  expect(asked()).toEqual([]);
  await bare.leave();
}, 30_000);

test("details that could not be loaded can be requested again", async () => {
  const { page, leave } = await visit({ answers: { "POST /api/order-success": refusal(502, "ORDER_UNAVAILABLE") } });
  await page.getByText("The transaction details could not be retrieved.").first().waitFor();
  await readFailure(page);
  opened.site.stage.answers = {};
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByText("CHF 176.64").waitFor();
  await leave();
}, 30_000);
