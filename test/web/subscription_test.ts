import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { openSite, settled } from "./browser.ts";
import { readFailure } from "./failure.ts";
import type { Scene } from "./fake_api.ts";
import { paidPlan, refusal, trialOf } from "./fake_billing.ts";

let opened: Awaited<ReturnType<typeof openSite>>;
beforeAll(async () => {
  opened = await openSite();
}, 120_000);
afterAll(() => opened.close());

/** The payment provider's pages, of which only the URL matters. */
const elsewhere = (page: Page) =>
  page.route("**/pay/**", (route) => route.fulfill({ contentType: "text/html", body: "<h1>Elsewhere</h1>" }));
const checkouts = () => opened.site.requests.filter(({ call }) => call === "POST /api/checkout");
const card = (page: Page, plan: string) =>
  page
    .getByRole("listitem")
    .filter({ hasText: plan })
    .filter({ has: page.getByRole("heading", { name: plan }) });
const select = (page: Page, plan: string) => page.getByRole("button", { name: `Select ${plan}`, exact: true });
const quantity = (page: Page, plan: string) => page.getByLabel(`Quantity of ${plan}`);

async function visit(scene: Partial<Scene> = {}, language = "en") {
  opened.site.set(scene);
  const visited = await opened.visit(`/${language}/subscription`, { prepare: elsewhere });
  await settled(visited.page);
  return visited;
}

test("every plan shows its capacity, its features and its price in the guessed currency", async () => {
  const { page, leave } = await visit();
  expect(await page.getByLabel("Currency").inputValue()).toBe("GBP");
  for (const [plan, price, cap] of [
    ["Personal", "£2.75 per month", "Up to 3 addresses"],
    ["Professional", "£7.00 per month", "Up to 10 addresses"],
    ["Business", "£26.00 per month", "Any number of addresses"],
  ] as const) {
    for (const words of [price, cap, "Email notifications", "Basic breach detection", "Standard support"])
      await card(page, plan).getByText(words).waitFor();
    await card(page, plan).getByText("30-day history", { exact: true }).waitFor();
  }
  expect(await page.getByText("Popular", { exact: true }).count()).toBe(1);
  await card(page, "Professional").getByText("Popular", { exact: true }).waitFor();
  await leave();
}, 30_000);

test("the period and the currency change the prices, and a reload keeps both", async () => {
  const { page, leave } = await visit();
  await page.getByText("Yearly").click();
  await card(page, "Professional").getByText("£77.28 per year").waitFor();
  await card(page, "Professional").getByText("8% less than paying monthly").waitFor();
  await page.getByLabel("Currency").selectOption("CHF");
  await card(page, "Professional").getByText("CHF 88.32 per year").waitFor();
  await page.reload();
  await settled(page);
  expect(await page.getByLabel("Currency").inputValue()).toBe("CHF");
  await card(page, "Professional").getByText("CHF 88.32 per year").waitFor();
  await leave();
}, 30_000);

test("Back from the payment page finds the period and the quantities as chosen", async () => {
  const { page, leave } = await visit();
  await page.getByText("Yearly").click();
  await quantity(page, "Professional").fill("3");
  await quantity(page, "Personal").fill("2");
  await select(page, "Professional").click();
  await page.getByRole("heading", { name: "Elsewhere" }).waitFor();
  await page.goBack();
  await settled(page);
  expect(await quantity(page, "Professional").inputValue()).toBe("3");
  expect(await quantity(page, "Personal").inputValue()).toBe("2");
  expect(await page.getByRole("radio", { name: /Yearly/ }).isChecked()).toBe(true);
  await leave();
}, 30_000);

test("amounts are formatted for the language", async () => {
  const { page, leave } = await visit({}, "de");
  await page.getByLabel("Währung").selectOption("EUR");
  await page.getByText("Jährlich").click();
  await card(page, "Business").getByText("331,20 € pro Jahr").waitFor();
  await leave();
}, 30_000);

test("a quantity multiplies the addresses and the price, typed or with the buttons", async () => {
  const { page, leave } = await visit();
  await quantity(page, "Professional").fill("5");
  await card(page, "Professional").getByText("5 × Professional = 50 addresses").waitFor();
  await card(page, "Professional").getByText("£35.00 per month").waitFor();
  await card(page, "Professional").getByText("5 × £7.00 per month").waitFor();
  await page.getByRole("button", { name: "One more Professional" }).click();
  await card(page, "Professional").getByText("6 × Professional = 60 addresses").waitFor();
  await page.getByRole("button", { name: "One Professional fewer" }).click();
  expect(await quantity(page, "Professional").inputValue()).toBe("5");
  expect(await page.getByRole("button", { name: "One Personal fewer" }).isDisabled()).toBe(true);
  expect(await quantity(page, "Business").count()).toBe(0);
  await leave();
}, 30_000);

test("an invalid quantity is reported at its field, and nothing is sent", async () => {
  const { page, leave } = await visit();
  for (const wrong of ["0", "1000000", "abc", "", "2.5"]) {
    await quantity(page, "Personal").fill(wrong);
    await page.getByText("Please enter a whole number from 1 to 50.").waitFor();
    await select(page, "Personal").click();
    expect(await quantity(page, "Personal").evaluate((field) => field === document.activeElement)).toBe(true);
    expect(await quantity(page, "Personal").inputValue()).toBe(wrong);
  }
  await quantity(page, "Personal").fill("50");
  await page.getByText("Please enter a whole number from 1 to 50.").waitFor({ state: "detached" });
  expect(checkouts()).toEqual([]);
  await leave();
}, 30_000);

test("selecting a plan leads to the payment page; a double click is one purchase", async () => {
  const { page, leave } = await visit();
  await page.getByLabel("Currency").selectOption("USD");
  await quantity(page, "Professional").fill("2");
  await select(page, "Professional").evaluate((button: HTMLElement) => {
    button.click();
    button.click();
  });
  await page.waitForURL("**/pay/checkout");
  expect(checkouts().map(({ body }) => body)).toEqual([
    {
      plan: "professional",
      quantity: 2,
      period: "monthly",
      currency: "USD",
      language: "en",
      click: expect.stringMatching(/^[\w-]{8,64}$/),
    },
  ]);
  await leave();
}, 30_000);

test("an unavailable payment service says so, keeps the selection, and the next press is a new attempt", async () => {
  const { page, leave } = await visit({ answers: { "POST /api/checkout": refusal(502, "PAYMENT_UNAVAILABLE") } });
  await page.getByText("Yearly").click();
  await page.getByLabel("Currency").selectOption("CHF");
  await quantity(page, "Personal").fill("7");
  await select(page, "Personal").click();
  const dialog = page.getByRole("dialog", { name: "The payment page could not be opened" });
  await dialog.getByText("Nothing was bought or changed.").waitFor();
  await dialog.getByRole("button", { name: "Close" }).last().click();
  await dialog.waitFor({ state: "detached" });
  expect(await quantity(page, "Personal").inputValue()).toBe("7");
  await card(page, "Personal").getByText("CHF 231.84 per year").waitFor();
  opened.site.stage.answers = {};
  await select(page, "Personal").click();
  await page.waitForURL("**/pay/checkout");
  const clicks = checkouts().map(({ body }) => (body as { click: string }).click);
  expect(clicks).toHaveLength(2);
  expect(clicks[0]).not.toBe(clicks[1] as string);
  await leave();
}, 30_000);

test("plans that cannot be loaded can be retried", async () => {
  opened.site.set({ answers: { "GET /api/plans": refusal(500, "GENERIC") } });
  const { page, leave } = await opened.visit("/en/subscription");
  expect(await readFailure(page)).toBe("The plans could not be loaded");
  opened.site.stage.answers = {};
  await page.getByRole("button", { name: "Try again" }).click();
  await select(page, "Business").waitFor();
  await leave();
}, 30_000);

test("the trial's days are shown, and that a purchase ends them", async () => {
  const { page, leave } = await visit({ subscription: trialOf(1) });
  const now = page.getByRole("region", { name: "Free trial" });
  for (const words of ["2 of 3 addresses", "1 day left"]) await now.getByText(words).waitFor();
  await page
    .getByText("Your plan starts as soon as you buy it and replaces what is left of your free trial.")
    .waitFor();
  await page.getByText("no money changes hands").waitFor();
  // Without a purchase so far, the provider's pages have nothing to show.
  expect(await page.getByRole("button", { name: "Manage billing" }).count()).toBe(0);
  await leave();
}, 30_000);

test("a purchase made meanwhile in another window is shown after the refusal", async () => {
  const { page, leave } = await visit({ answers: { "POST /api/checkout": refusal(409, "ALREADY_SUBSCRIBED") } });
  opened.site.stage.subscription = paidPlan();
  await select(page, "Personal").click();
  await page.getByRole("dialog").getByRole("button", { name: "Close" }).last().click();
  await page.getByRole("region", { name: "2 × Professional" }).waitFor();
  expect(await page.getByRole("button", { name: "Change to Personal" }).count()).toBe(1);
  await leave();
}, 30_000);
