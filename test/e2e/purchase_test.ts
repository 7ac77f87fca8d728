import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Language } from "../../src/shared/language.ts";
import { formatMoney } from "../../src/shared/money.ts";
import { IS_NIGHTLY } from "../support/tier.ts";
import { type Product, removeDirectory, startProduct, type Visit, visit } from "./product.ts";
import { purchaseSteps } from "./purchase_steps.ts";

/** The texts of the sandbox's own pages. */
function sandboxWords(language: Language): Record<string, string> {
  return JSON.parse(readFileSync(join(import.meta.dirname, `../../locales/${language}/sandbox.json`), "utf8"));
}

let product: Product;
beforeAll(async () => {
  product = await startProduct({ BILLING: "sandbox" });
});
afterAll(async () => {
  await product?.stop();
  removeDirectory(product.dataDir);
});

const PURCHASES: [Language, string, number][] = [
  ["de", "CHF", 17_664],
  ["en", "USD", 19_872],
];

/** From the trial to two units of Professional for a year, in one language and one currency. */
describe.each(IS_NIGHTLY ? PURCHASES : PURCHASES.slice(0, 1))(
  "A purchase in %s and %s",
  (language, currency, amount) => {
    const email = `buyer-${language}@example.org`;
    const sandbox = sandboxWords(language);
    const total = formatMoney({ amount, currency }, language);
    let buyer: Visit;
    beforeAll(async () => {
      buyer = await visit(product.url, { viewport: { width: 1440, height: 900 } });
    });
    afterAll(() => buyer?.close());

    test("the trial shows its days, its three places, and a link to the plans", async () => {
      const screen = purchaseSteps(buyer.page, language);
      await screen.register(email);
      await screen.signIn(email);
      await screen.main.getByText(screen.say("plan_line.used", { used: 0, cap: 3 })).waitFor();
      await screen.main.getByText(screen.say("plan_line.trial", { days: 14 })).waitFor();
      await buyer.page.getByRole("link", { name: screen.say("nav.subscription"), exact: true }).click();
      await screen.heading("plans.title").waitFor();
    });

    test("two units of Professional, billed yearly, are chosen and paid for on the local payment page", async () => {
      const { page } = buyer;
      const screen = purchaseSteps(page, language);
      await screen.choose({ plan: "professional", quantity: 2, currency });
      await page.getByText(screen.say("plans.sum", { quantity: 2, plan: "Professional", cap: 20 })).waitFor();
      await page.getByText(`${total} ${screen.say("period.per_yearly")}`).waitFor();
      await screen.button("plans.select", { plan: "Professional" }).click();
      await page.waitForURL("**/sandbox/checkout/**");
      await page.getByText(sandbox.note ?? "").waitFor();
      await page.getByText("2 × Professional").waitFor();
      await page.getByText(total).waitFor();
      await page.getByRole("button", { name: sandbox.pay ?? "" }).click();
      await page.waitForURL(`**/${language}/success-order`);
    });

    test("the order shows the account, the plan and the amount, even after a reload", async () => {
      const { page } = buyer;
      const screen = purchaseSteps(page, language);
      for (const load of [() => Promise.resolve(), () => page.reload()]) {
        await load();
        await page.getByRole("heading", { name: screen.say("order.paid") }).waitFor();
        for (const words of ["Ada Byron", email, "2 × Professional", total, screen.say("summary.used", { used: 20 })])
          await page.getByRole("definition").getByText(words, { exact: true }).waitFor();
      }
      expect(new URL(page.url()).hash).toBe("");
    });

    test("the dashboard has twenty places, and the profile the order with its invoice", async () => {
      const { page } = buyer;
      const screen = purchaseSteps(page, language);
      await page.getByRole("link", { name: screen.say("error_page.to_dashboard") }).click();
      await screen.main.getByText(screen.say("plan_line.used", { used: 0, cap: 20 })).waitFor();
      await screen.main.getByText("2 × Professional").waitFor();
      await page.goto(`/${language}/profile`);
      const [tab] = await Promise.all([
        page.context().waitForEvent("page"),
        page.getByRole("button", { name: /SANDBOX-\d+/ }).click(),
      ]);
      await tab.waitForURL("**/sandbox/invoice/**");
      await tab.getByText(total).waitFor();
      await tab.close();
    });

    test("a change shows its price before it is confirmed, and raises the limit immediately", async () => {
      const { page } = buyer;
      const screen = purchaseSteps(page, language);
      await page.goto(`/${language}/subscription`);
      await screen.button("plans.switch", { plan: "Business" }).click();
      const dialog = page.getByRole("dialog", { name: screen.say("change.title") });
      await dialog.getByText(screen.say("change.due")).waitFor();
      await dialog.getByRole("button").last().click();
      await page.getByText(screen.say("change.done")).waitFor();
      await page
        .getByRole("region", { name: "Business" })
        .getByText(screen.say("summary.used", { used: 0 }))
        .waitFor();
      await screen.button("plans.is_current").waitFor();
    });

    test("the portal cancels it, and the plan shows its end date", async () => {
      const { page } = buyer;
      const screen = purchaseSteps(page, language);
      await screen.button("portal.open").click();
      await page.waitForURL("**/sandbox/portal/**");
      await page.getByRole("button", { name: sandbox["act.cancel"] ?? "" }).click();
      await page.getByRole("button", { name: sandbox["act.keep"] ?? "" }).waitFor();
      await page.getByRole("link", { name: sandbox.back ?? "" }).click();
      await page.waitForURL(`**/${language}/profile`);
      const ends = screen.say("plan.ends", { date: "#" }).split("#")[0] ?? "";
      await page
        .getByRole("region", { name: screen.say("orders.title") })
        .getByText(ends)
        .waitFor();
      expect(buyer.violations).toEqual([]);
      expect(buyer.errors).toEqual([]);
    });
  },
);

describe.if(IS_NIGHTLY)("With billing disabled", () => {
  test("there are no plans, no trial and no limit", async () => {
    const free = await startProduct({ BILLING: "off" });
    const guest = await visit(free.url, { viewport: { width: 1440, height: 900 } });
    const screen = purchaseSteps(guest.page, "en");
    await screen.register("free@example.org");
    await screen.signIn("free@example.org");
    await guest.page.getByRole("heading", { name: screen.say("headline.first") }).waitFor();
    expect(await guest.page.getByRole("link", { name: screen.say("error_page.to_plans") }).count()).toBe(0);
    expect(await guest.page.getByRole("link", { name: screen.say("nav.subscription") }).count()).toBe(0);
    await guest.page.goto("/en/subscription");
    await screen.page404.waitFor();
    expect(guest.errors).toEqual([]);
    await guest.close();
    await free.stop();
    removeDirectory(free.dataDir);
  });
});
