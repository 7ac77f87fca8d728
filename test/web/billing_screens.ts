import type { Page } from "playwright-core";
import { account } from "./fake_account.ts";
import { anOrder, aPreview, overPlan, paidPlan, refusal, someOrders, trialOf } from "./fake_billing.ts";
import type { Screen } from "./screen.ts";

const PAID = { subscription: paidPlan() };
const grace = paidPlan({ status: "grace", unpaid: true, tracked: 25, graceUntil: "2030-01-05T12:00:00Z" });
const ORDER = "/success-order#t=cs_1";

/** Chooses yearly billing and larger quantities, and an invalid number. */
async function choose(page: Page) {
  await page.locator("main [role=radiogroup] label").nth(1).click();
  await page.locator("main input[inputmode=numeric]").nth(0).fill("abc");
  await page.locator("main input[inputmode=numeric]").nth(1).fill("50");
}

async function ask(page: Page) {
  await page.locator("main li button.mantine-Button-root").first().click();
  await page.getByRole("dialog").waitFor();
}

/** Plans, orders and prices, in every state. */
export const BILLING_SCREENS: Record<string, Screen> = {
  "subscription during the trial": { path: "/subscription", act: choose },
  "subscription of a running plan": { path: "/subscription", scene: PAID },
  "subscription after a failed payment": { path: "/subscription", scene: { subscription: grace } },
  "subscription without a plan": { path: "/subscription", scene: { subscription: overPlan() } },
  "subscription before a change": {
    path: "/subscription",
    scene: { ...PAID, preview: aPreview({ credit: 123_456 }) },
    act: ask,
  },
  "subscription with a price reckoned anew": {
    path: "/subscription",
    scene: { ...PAID, answers: { "POST /api/subscription/change": refusal(409, "QUOTE_OUTDATED") } },
    act: async (page) => {
      await ask(page);
      await page.getByRole("dialog").locator("button").last().click();
      await page.getByRole("dialog").getByRole("status").locator("svg").waitFor();
    },
  },
  "subscription while the payment service is down": {
    path: "/subscription",
    scene: { answers: { "POST /api/checkout": refusal(502, "PAYMENT_UNAVAILABLE") } },
    act: ask,
  },
  "subscription that failed": {
    path: "/subscription",
    scene: { answers: { "GET /api/plans": refusal(500, "GENERIC") } },
  },
  "success-order": { path: ORDER },
  "success-order of no session": { path: "/success-order" },
  "success-order before the payment is confirmed": {
    path: ORDER,
    scene: {
      level: "unauthenticated",
      order: anOrder({ state: "processing", own: false, account: { name: null, email: "a•••@example.com" } }),
    },
  },
  "success-order of a wrong session": {
    path: ORDER,
    scene: { answers: { "POST /api/order-success": refusal(404, "ORDER_NOT_FOUND") } },
  },
  "success-order that failed": {
    path: ORDER,
    scene: { answers: { "POST /api/order-success": refusal(502, "ORDER_UNAVAILABLE") } },
  },
  "profile with orders": { path: "/profile", scene: { ...PAID, orders: someOrders() } },
  "dashboard before the trial ends": { path: "/dashboard", scene: { subscription: trialOf(2) } },
  "dashboard after a failed payment": { path: "/dashboard", scene: { subscription: grace } },
  "dashboard while asked for the password": {
    path: "/dashboard",
    fails: ["POST /api/portal"],
    scene: { subscription: grace, account: account({ confirmed: false }) },
    act: async (page) => {
      await page.locator("main [data-tone=alarm] button").click();
      await page.getByRole("dialog").locator("input").waitFor();
    },
  },
  "error-page of an ended plan": { path: "/error-page?err=USER_INACTIVE" },
};
