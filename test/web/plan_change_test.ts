import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { openSite, settled } from "./browser.ts";
import { account } from "./fake_account.ts";
import type { Scene } from "./fake_api.ts";
import { aPreview, paidPlan, refusal } from "./fake_billing.ts";

let opened: Awaited<ReturnType<typeof openSite>>;
beforeAll(async () => {
  opened = await openSite();
}, 120_000);
afterAll(() => opened.close());

const elsewhere = (page: Page) =>
  page.route("**/pay/**", (route) => route.fulfill({ contentType: "text/html", body: "<h1>Elsewhere</h1>" }));
const sent = (call: string) => opened.site.requests.filter((one) => one.call === call).map(({ body }) => body);
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const dialog = (page: Page) => page.getByRole("dialog", { name: "Change your plan?" });

async function visit(scene: Partial<Scene> = {}) {
  opened.site.set({ subscription: paidPlan(), ...scene });
  const visited = await opened.visit("/en/subscription", { prepare: elsewhere });
  await settled(visited.page);
  return visited;
}

test("the running plan is marked, in its currency, and cannot be chosen again", async () => {
  const { page, leave } = await visit();
  await page.getByRole("region", { name: "2 × Professional" }).getByText("12 of 20 addresses").waitFor();
  await page.getByText("Your plan", { exact: true }).waitFor();
  expect(await button(page, "This is your plan").isDisabled()).toBe(true);
  expect(await page.getByLabel("Currency").isDisabled()).toBe(true);
  expect(await page.getByLabel("Currency").inputValue()).toBe("CHF");
  expect(await page.getByLabel("Quantity of Professional").inputValue()).toBe("2");
  await page.getByText("Monthly", { exact: true }).click();
  await button(page, "Change my plan").waitFor();
  await leave();
}, 30_000);

test("a change of a cancelled plan says that it stays cancelled, instead of a later price", async () => {
  const subscription = paidPlan({ cancelAtPeriodEnd: true });
  const { page, leave } = await visit({ subscription, preview: aPreview({ due: 8_832, regular: 26_496 }) });
  await page.getByLabel("Quantity of Professional").fill("3");
  await button(page, "Change my plan").click();
  await dialog(page).getByText("The plan stays cancelled and ends with the paid period.").waitFor();
  expect(await dialog(page).getByText("per year").count()).toBe(0);
  await leave();
}, 30_000);

test("a change shows its price first, and only the confirmation changes anything", async () => {
  const { page, leave } = await visit({ preview: aPreview({ due: 8_832, credit: 250, regular: 26_496, cap: 30 }) });
  await page.getByLabel("Quantity of Professional").fill("3");
  await button(page, "Change my plan").click();
  for (const words of ["3 × Professional · 30 addresses", "CHF 88.32", "CHF 2.50", "CHF 264.96 per year"])
    await dialog(page).getByText(words, { exact: true }).waitFor();
  await button(page, "Cancel").click();
  await dialog(page).waitFor({ state: "detached" });
  expect(sent("POST /api/subscription/change")).toEqual([]);
  await button(page, "Change my plan").click();
  opened.site.stage.subscription = paidPlan({ quantity: 3, cap: 30 });
  await button(page, "Pay CHF 88.32 and change").evaluate((element: HTMLElement) => {
    element.click();
    element.click();
  });
  await page.getByText("Your plan has been changed.").waitFor();
  await page.getByRole("region", { name: "3 × Professional" }).waitFor();
  const wanted = { plan: "professional", period: "yearly", quantity: 3 };
  expect(sent("POST /api/subscription/preview")).toEqual([wanted, wanted]);
  expect(sent("POST /api/subscription/change")).toEqual([{ quote: "q1" }]);
  await leave();
}, 30_000);

test("a smaller plan states before and after how many addresses will be suspended, and leads to the selection", async () => {
  const { page, leave } = await visit({ preview: aPreview({ due: 0, cap: 3 }), cap: 3 });
  await page.getByText("9 of your 12 addresses would not be checked.").waitFor();
  await button(page, "Change to Personal").click();
  await dialog(page).getByText("9 of your 12 addresses will then not be checked.").waitFor();
  await dialog(page).getByText("Nothing", { exact: true }).waitFor();
  opened.site.stage.subscription = paidPlan({ plan: "personal", quantity: 1, cap: 3 });
  await button(page, "Change the plan").click();
  await page.getByText("9 addresses are not being checked").waitFor();
  await page.getByRole("link", { name: "Choose which to keep" }).click();
  await page.waitForURL("**/en/dashboard?keep");
  await page.getByRole("dialog", { name: "Which addresses should we keep checking?" }).waitFor();
  await leave();
}, 30_000);

test("an outdated price is requested again and shown before paying", async () => {
  const { page, leave } = await visit({
    answers: { "POST /api/subscription/change": refusal(409, "QUOTE_OUTDATED") },
  });
  await button(page, "Change to Business").click();
  await dialog(page).getByText("CHF 12.34", { exact: true }).waitFor();
  opened.site.stage.preview = aPreview({ due: 1300, quote: "q2" });
  await button(page, "Pay CHF 12.34 and change").click();
  await dialog(page).getByText("The price has been recalculated.").waitFor();
  opened.site.stage.answers = {};
  await button(page, "Pay CHF 13.00 and change").click();
  await page.getByText("Your plan has been changed.").waitFor();
  expect(sent("POST /api/subscription/change")).toEqual([{ quote: "q1" }, { quote: "q2" }]);
  await leave();
}, 30_000);

test("if the bank requires authentication, its page is opened", async () => {
  const { page, leave } = await visit({
    answers: {
      "POST /api/subscription/change": { status: 200, body: { state: "payment_needed", url: "/pay/bank" } },
    },
  });
  await button(page, "Change to Business").click();
  await button(page, "Pay CHF 12.34 and change").click();
  await page.waitForURL("**/pay/bank");
  await leave();
}, 30_000);

test.each([
  ["POST /api/subscription/preview", 502, "PAYMENT_UNAVAILABLE", "Nothing was bought or changed."],
  ["POST /api/subscription/change", 402, "PAYMENT_REFUSED", "The payment was declined and nothing was changed."],
] as const)(
  "%s that fails with %i %s says so, and keeps the selection",
  async (call, status, code, words) => {
    const { page, leave } = await visit({ answers: { [call]: refusal(status, code) } });
    await page.getByLabel("Quantity of Personal").fill("9");
    await button(page, "Change to Personal").click();
    if (call.endsWith("change")) await button(page, "Pay CHF 12.34 and change").click();
    const message = page.getByRole("dialog", { name: "The plan could not be changed" });
    await message.getByText(words).waitFor();
    expect(await page.getByLabel("Quantity of Personal").inputValue()).toBe("9");
    await leave();
  },
  30_000,
);

test.each([
  ["subscription", "Manage billing", paidPlan()],
  ["dashboard", "Pay now", paidPlan({ status: "inactive", unpaid: true })],
  ["profile", "Manage billing", paidPlan()],
] as const)(
  "the provider's pages are opened from the %s once the password was typed, and not if the dialog is cancelled",
  async (path, name, subscription) => {
    opened.site.set({ subscription, account: account({ confirmed: false }) });
    const { page, leave } = await opened.visit(`/en/${path}`, { prepare: elsewhere });
    await settled(page);
    const way = button(page, name);
    await way.click();
    const question = page.getByRole("dialog", { name: "Please enter your password" });
    await question.getByRole("button", { name: "Cancel" }).click();
    await question.waitFor({ state: "hidden" });
    await way.click();
    await question.getByLabel("Password", { exact: true }).fill("Correct-horse-7");
    await question.getByRole("button", { name: "Continue" }).click();
    await page.waitForURL("**/pay/portal");
    const calls = opened.site.calls().filter((call) => /portal|confirm/.test(call));
    const asked = "POST /api/portal";
    expect(calls).toEqual([asked, asked, "POST /api/confirm-password", asked]);
    await leave();
  },
  30_000,
);

test("the provider's pages are one button away, which mentions an open payment", async () => {
  const { page, leave } = await visit();
  await button(page, "Manage billing").click();
  await page.waitForURL("**/pay/portal");
  await leave();
  const unpaid = await visit({
    subscription: paidPlan({ status: "grace", unpaid: true, graceUntil: "2030-01-05T12:00:00Z" }),
    answers: { "POST /api/portal": refusal(502, "PAYMENT_UNAVAILABLE") },
  });
  await unpaid.page.getByText("checks continue until January 5, 2030").waitFor();
  await button(unpaid.page, "Pay now").click();
  await unpaid.page.getByRole("dialog", { name: "The payment pages could not be opened" }).waitFor();
  await unpaid.leave();
}, 30_000);
