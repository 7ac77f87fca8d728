import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { type StripePeer, startStripePeer, WEBHOOK_SECRET } from "../support/stripe_peer.ts";
import { type Product, removeDirectory, startProduct, type Visit, visit } from "./product.ts";
import { purchaseSteps } from "./purchase_steps.ts";

const EMAIL = "buyer@example.org";

let stripe: StripePeer;
let product: Product;
let buyer: Visit;
beforeAll(async () => {
  stripe = await startStripePeer();
  product = await startProduct({
    BILLING: "stripe",
    STRIPE_BASE_URL: stripe.url,
    STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
    STRIPE_SECRET_KEY: "sk_test_of_the_tests_0123456789",
  });
  buyer = await visit(product.url, { viewport: { width: 1440, height: 900 } });
  // Stripe's own pages, of which only the URL matters.
  await buyer.page
    .context()
    .route(/^https:\/\/(checkout|billing|invoice)\.stripe\.com\//, (route) =>
      route.fulfill({ contentType: "text/html", body: "<h1>Stripe</h1>" }),
    );
});
afterAll(async () => {
  await buyer?.close();
  await product?.stop();
  await stripe?.stop();
  removeDirectory(product.dataDir);
});

/** Stripe sends the events so far. */
async function tell(): Promise<void> {
  for (const { body } of stripe.takeEvents()) {
    const headers = { "Content-Type": "application/json", "Stripe-Signature": await stripe.sign(body) };
    const answer = await fetch(`${product.url}/api/stripe/webhook`, { method: "POST", headers, body });
    expect(answer.status).toBe(200);
  }
}

/** The session id of the payment page that the browser is on. */
async function sessionOn(page: Page): Promise<string> {
  await page.waitForURL("https://checkout.stripe.com/c/pay/**");
  return new URL(page.url()).pathname.split("/").at(-1) ?? "";
}

test("a purchase with delayed payment: processing first, then paid, with twenty places", async () => {
  const { page } = buyer;
  const french = purchaseSteps(page, "fr");
  await french.register(EMAIL);
  await french.signIn(EMAIL);
  await page.getByRole("link", { name: french.say("nav.subscription") }).click();
  await french.heading("plans.title").waitFor();
  expect(await page.getByText(french.say("plans.sandbox")).count()).toBe(0);
  await french.choose({ plan: "professional", quantity: 2, currency: "EUR" });

  stripe.failNext("500", { times: 20 });
  await french.button("plans.select", { plan: french.say("plan.professional") }).click();
  const message = page.getByRole("dialog", { name: french.say("plans.checkout_failed") });
  await message.getByText(french.say("PAYMENT_UNAVAILABLE")).waitFor();
  await message.getByRole("button").last().click();
  await message.waitFor({ state: "detached" });
  stripe.heal();
  expect(stripe.state.objects.sessions.size).toBe(0);

  await french.button("plans.select", { plan: french.say("plan.professional") }).click();
  const sessionId = await sessionOn(page);
  const session = stripe.state.find("sessions", sessionId);
  expect(session).toMatchObject({ locale: "fr", currency: "eur", amount_total: 17_664 });
  stripe.completeCheckout(sessionId, { delayed: true });
  await page.goto(String(session.success_url).replace("{CHECKOUT_SESSION_ID}", sessionId));
  await page.getByRole("heading", { name: french.say("order.processing") }).waitFor();

  session.payment_status = "paid";
  stripe.payOpen(String(session.customer));
  await tell();
  // The page polls.
  await page.getByRole("heading", { name: french.say("order.paid") }).waitFor();
  await page.getByRole("definition").getByText(EMAIL).waitFor();
  await page.getByRole("link", { name: french.say("error_page.to_dashboard") }).click();
  await french.main.getByText(french.say("plan_line.used", { used: 0, cap: 20 })).waitFor();
}, 120_000);

test("a failed renewal is shown on the dashboard and leads to the portal; the payment ends it", async () => {
  const { page } = buyer;
  const french = purchaseSteps(page, "fr");
  const [customer = ""] = stripe.state.objects.customers.keys();
  stripe.renew(customer, { fails: true });
  await tell();
  await page.reload();
  await page.getByText((french.say("notice.grace", { date: "#" }).split(".")[0] ?? "").trim()).waitFor();
  await french.button("portal.settle").click();
  await page.waitForURL("https://billing.stripe.com/**");
  stripe.payOpen(customer);
  await tell();
  await page.goto(`${product.url}/fr/dashboard`);
  await french.main.getByText(`2 × ${french.say("plan.professional")}`).waitFor();
  expect(await french.button("portal.settle").count()).toBe(0);
  expect(stripe.broken).toEqual([]);
  expect(buyer.errors).toEqual([]);
}, 60_000);
