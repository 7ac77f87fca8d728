import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { openSite, settled } from "./browser.ts";
import { type Scene, scene } from "./fake_api.ts";
import { overPlan, paidPlan, refusal, someOrders, trialOf } from "./fake_billing.ts";

let opened: Awaited<ReturnType<typeof openSite>>;
beforeAll(async () => {
  opened = await openSite();
}, 120_000);
afterAll(() => opened.close());

const elsewhere = (page: Page) =>
  page.context().route("**/pay/**", (route) => route.fulfill({ contentType: "text/html", body: "<h1>Elsewhere</h1>" }));
const off: Partial<Scene> = { instance: { ...scene().instance, billing: "off" } };

async function visit(path: string, change: Partial<Scene> = {}) {
  opened.site.set(change);
  const visited = await opened.visit(`/en/${path}`, { prepare: elsewhere });
  await settled(visited.page);
  return visited;
}

describe("with billing disabled", () => {
  test.each(["subscription", "success-order#t=cs_1"])(
    "there is no page %s",
    async (path) => {
      for (const level of ["authenticated", "unauthenticated"] as const) {
        const { page, leave } = await visit(path, { ...off, level });
        expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe("/en/error-page?err=404");
        await leave();
      }
    },
    30_000,
  );

  test("the registration mentions no trial", async () => {
    const { page, leave } = await visit("register", { ...off, level: "unauthenticated" });
    expect(await page.getByText("14 days").count()).toBe(0);
    await leave();
    const other = await visit("register", { level: "unauthenticated" });
    await other.page.getByText("Free for 14 days").waitFor();
    await other.leave();
  }, 30_000);

  test("neither menu nor dashboard nor profile nor error page mention plans", async () => {
    for (const path of ["dashboard", "profile", "error-page?err=USER_INACTIVE"]) {
      const { page, complaints, leave } = await visit(path, off);
      await page.getByRole("link", { name: "View Profile" }).waitFor();
      expect(await page.locator('a[href*="subscription"]').count()).toBe(0);
      expect(await page.getByText(/Plan and orders|Free trial/).count()).toBe(0);
      expect(opened.site.calls().filter((call) => /orders|plans/.test(call))).toEqual([]);
      expect(complaints).toEqual([]);
      await leave();
    }
  }, 30_000);
});

test("the menu links to the plans, with the specification's name", async () => {
  const { page, leave } = await visit("dashboard");
  await page.getByRole("link", { name: "Purchase Subscription" }).click();
  await page.waitForURL("**/en/subscription");
  await page.getByRole("heading", { level: 1, name: "Purchase Subscription" }).waitFor();
  await page.waitForFunction(() => document.title.endsWith("Purchase Subscription · Breachbell"));
  await leave();
}, 30_000);

test.each([
  ["GET /api/check-subscription/", { status: "inactive" }, "USER_INACTIVE"],
  ["GET /api/check-aggiungere-email/", { can_add_more: false }, "USER_INSUFFICIENT"],
] as const)(
  "the refusal of %s leads to the plans",
  async (call, body, err) => {
    const { page, leave } = await visit("new-track", { answers: { [call]: { status: 200, body } } });
    await page.waitForURL(`**/en/error-page?err=${err}`);
    await page.getByRole("link", { name: "See the plans" }).click();
    await page.waitForURL("**/en/subscription");
    await leave();
  },
  30_000,
);

describe("the dashboard", () => {
  const grace = paidPlan({ status: "grace", unpaid: true, graceUntil: "2030-01-05T12:00:00Z" });
  const soon = new Date(Date.now() + 3 * 86_400_000).toISOString();
  test.each([
    ["a trial that ends soon", trialOf(3), "Your free trial ends in 3 days.", "link", "Choose a plan"],
    ["a trial that ends today", trialOf(0), "Your free trial ends today.", "link", "Choose a plan"],
    ["a plan that has ended", overPlan(), "so nothing is being checked.", "link", "Choose a plan"],
    ["a failed payment", grace, "are checked until January 5, 2030", "button", "Pay now"],
    [
      ...(["an unpaid plan", paidPlan({ status: "inactive", unpaid: true }), "A payment is overdue"] as const),
      ...(["button", "Pay now"] as const),
    ],
    [
      ...(["a cancelled plan", paidPlan({ cancelAtPeriodEnd: true, periodEnd: soon }), "won’t be renewed"] as const),
      ...(["button", "Manage billing"] as const),
    ],
  ] as const)(
    "states what to do about %s",
    async (_, subscription, words, role, name) => {
      const { page, leave } = await visit("dashboard", { subscription });
      const notice = page.locator("main [data-tone]").filter({ hasText: words });
      await notice.getByRole(role, { name }).click();
      await page.waitForURL(role === "link" ? "**/en/subscription" : "**/pay/portal");
      await leave();
    },
    30_000,
  );

  test("shows the account's capacity without a warning if all is well", async () => {
    for (const [subscription, words] of [
      [trialOf(9), "9 days left"],
      [paidPlan(), "2 × Professional"],
      [paidPlan({ cancelAtPeriodEnd: true }), "2 × Professional"],
    ] as const) {
      const { page, leave } = await visit("dashboard", { subscription });
      await page.getByText(words).waitFor();
      expect(await page.getByText(/Choose a plan|won’t be renewed|Pay now/).count()).toBe(0);
      await leave();
    }
  }, 30_000);
});

describe("the profile", () => {
  const section = (page: Page) => page.getByRole("region", { name: "Plan and orders" });

  test("shows plan, period, currency, expiry and status", async () => {
    const { page, leave } = await visit("profile", { subscription: paidPlan({ periodEnd: "2030-06-10T12:00:00Z" }) });
    for (const words of ["2 × Professional", "Active", "Yearly", "CHF", "12 of 20", "Renews on June 10, 2030"])
      await section(page).getByText(words, { exact: true }).waitFor();
    await section(page).getByText("No orders yet.").waitFor();
    await section(page).getByRole("link", { name: "Change plan" }).click();
    await page.waitForURL("**/en/subscription");
    await leave();
  }, 30_000);

  test("lists the orders, and opens an invoice in another tab", async () => {
    const { page, leave } = await visit("profile", { subscription: paidPlan(), orders: someOrders() });
    const entries = section(page).getByRole("listitem");
    expect(await entries.count()).toBe(4);
    for (const [index, words] of [
      /CHF\s176\.64 unpaid/,
      /CHF\s176\.64 paid/,
      /CHF\s8\.00 refunded/,
      /CHF\s3\.00 refunded/,
    ].entries())
      expect(await entries.nth(index).filter({ hasText: words }).count()).toBe(1);
    const [tab] = await Promise.all([
      page.context().waitForEvent("page"),
      page.getByRole("button", { name: "Invoice BB-0003" }).click(),
    ]);
    await tab.waitForURL("**/pay/invoice");
    expect(opened.site.calls()).toContain("POST /api/orders/o3/invoice");
    expect(new URL(page.url()).pathname).toBe("/en/profile");
    await leave();
  }, 30_000);

  test("an invoice that cannot be opened says so, and leaves no empty tab", async () => {
    const { page, leave } = await visit("profile", {
      subscription: paidPlan(),
      orders: someOrders(),
      answers: { "POST /api/orders/o4/invoice": refusal(502, "PAYMENT_UNAVAILABLE") },
    });
    await page.getByRole("button", { name: "Invoice BB-0004" }).click();
    await page.getByRole("dialog", { name: "The invoice could not be opened" }).waitFor();
    expect(page.context().pages()).toEqual([page]);
    await leave();
  }, 30_000);

  test("shows the remaining days of the trial", async () => {
    const { page, leave } = await visit("profile", { subscription: trialOf(4) });
    await page.getByRole("region", { name: "Account" }).getByText("Free trial · 4 days left").waitFor();
    await leave();
  }, 30_000);
});
