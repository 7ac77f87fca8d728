import { describe, expect, test } from "bun:test";
import { navigationOf } from "../../web/app/navigation.ts";
import { beyond, currencyOf, quantityOf, stepOf, unitPrice } from "../../web/billing/choice.ts";
import { scene } from "./fake_api.ts";
import { billing, paidPlan, trialOf } from "./fake_billing.ts";

const { plans } = billing();
const offerOf = (plan: string) => {
  const offer = plans.plans.find((one) => one.plan === plan);
  if (!offer) throw new Error(`There is no plan "${plan}"`);
  return offer;
};

describe("choosing a plan", () => {
  test("currencyOf() returns the running plan's, otherwise the remembered one, otherwise the guess", () => {
    const offered = plans.currencies;
    const guess = "EUR" as const;
    expect(currencyOf(offered, { running: "CHF", remembered: "USD", guess })).toBe("CHF");
    expect(currencyOf(offered, { running: null, remembered: "USD", guess })).toBe("USD");
    for (const remembered of [null, "JPY", "", "usd"])
      expect(currencyOf(offered, { running: null, remembered, guess })).toBe("EUR");
  });

  test("unitPrice() returns the price for the currency and the period", () => {
    expect(unitPrice(offerOf("professional"), { currency: "CHF", period: "yearly" })).toBe(8832);
    expect(unitPrice(offerOf("personal"), { currency: "GBP", period: "monthly" })).toBe(275);
    expect(() => unitPrice({ ...offerOf("personal"), prices: [] }, { currency: "GBP", period: "monthly" })).toThrow();
  });

  test("quantityOf() accepts whole numbers from 1 to 50, and is 1 for unlimited plans", () => {
    for (const [typed, value] of [
      ["1", 1],
      [" 5 ", 5],
      ["50", 50],
    ] as const)
      expect(quantityOf(offerOf("professional"), typed)).toEqual({ value });
    for (const typed of ["", " ", "0", "-1", "51", "1000000", "2.5", "abc", "1e999"])
      expect(quantityOf(offerOf("professional"), typed)).toEqual({ error: "QUANTITY_INVALID" });
    expect(quantityOf(offerOf("business"), "1")).toEqual({ value: 1 });
    expect(quantityOf(offerOf("business"), "2")).toEqual({ error: "QUANTITY_INVALID" });
  });

  test("stepOf() buys if there is no running plan, and otherwise only changes to a different one", () => {
    const same = { plan: "professional", period: "yearly", quantity: 2 } as const;
    expect(stepOf(trialOf(5), same)).toBe("buy");
    expect(stepOf(paidPlan({ canChange: false, status: "inactive" }), same)).toBe("buy");
    expect(stepOf(paidPlan(), same)).toBe("none");
    expect(stepOf(paidPlan(), { ...same, plan: "personal" })).toBe("switch");
    expect(stepOf(paidPlan(), { ...same, period: "monthly" })).toBe("adjust");
    expect(stepOf(paidPlan(), { ...same, quantity: 3 })).toBe("adjust");
    expect(stepOf(paidPlan(), { ...same, quantity: undefined })).toBe("adjust");
  });

  test("beyond() counts the addresses that exceed a capacity", () => {
    expect([beyond(12, 3), beyond(3, 3), beyond(2, 3), beyond(1000, null)]).toEqual([9, 0, 0, 0]);
  });
});

test("navigationOf() includes plans only if billing is enabled, and not before that is known", () => {
  const paths = (instance: Parameters<typeof navigationOf>[0]) => navigationOf(instance).map(({ path }) => path);
  const { instance } = scene();
  expect(paths({ ...instance, billing: "sandbox" })).toContain("subscription");
  expect(paths({ ...instance, billing: "stripe" })).toContain("subscription");
  for (const other of [paths({ ...instance, billing: "off" }), paths(undefined)]) {
    expect(other).not.toContain("subscription");
    expect(other).toContain("profile");
  }
});
