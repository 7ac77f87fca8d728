import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { capOf, guessCurrency, OFFER, priceOf, yearlyOf } from "../../src/billing/plan.ts";
import { formatMoney, minorDigits } from "../../src/shared/money.ts";
import { CURRENCIES, PLANS } from "../../src/shared/plans.ts";

describe("prices", () => {
  test.each([
    ["personal", "EUR", 300, 3312],
    ["personal", "USD", 350, 3864],
    ["personal", "GBP", 275, 3036],
    ["personal", "CHF", 300, 3312],
    ["professional", "EUR", 800, 8832],
    ["professional", "USD", 900, 9936],
    ["professional", "GBP", 700, 7728],
    ["professional", "CHF", 800, 8832],
    ["business", "EUR", 3000, 33_120],
    ["business", "USD", 3400, 37_536],
    ["business", "GBP", 2600, 28_704],
    ["business", "CHF", 3000, 33_120],
  ] as const)("%s in %s are %p a month and %p a year", (plan, currency, monthly, yearly) => {
    expect(priceOf(plan, "monthly", currency)).toBe(monthly);
    expect(priceOf(plan, "yearly", currency)).toBe(yearly);
  });

  test("a year costs twelve months less eight per cent, rounded to the minor unit of any currency", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10_000_000 }), (monthly) => {
        const yearly = yearlyOf(monthly);
        expect(Number.isInteger(yearly)).toBe(true);
        expect(Math.abs(yearly * 100 - monthly * 12 * 92)).toBeLessThanOrEqual(50);
      }),
    );
    // 450 yen, which have no minor unit: 4968.
    expect(yearlyOf(450)).toBe(4968);
  });

  test("the offer contains each price once, as an integer", () => {
    for (const { plan, prices } of OFFER) {
      expect(new Set(prices.map(({ currency, period }) => `${currency} ${period}`)).size).toBe(CURRENCIES.length * 2);
      for (const { currency, period, amount } of prices) expect(amount).toBe(priceOf(plan, period, currency));
    }
    expect(OFFER.map(({ plan }) => plan)).toEqual([...PLANS]);
  });
});

test("capOf() multiplies, and keeps unlimited plans unlimited", () => {
  expect([capOf("personal", 1), capOf("professional", 5), capOf("business", 1)]).toEqual([3, 50, null]);
});

test.each([
  [["de-CH"], "CHF"],
  [["de-LI", "en"], "CHF"],
  [["fr", "en-GB;q=0.8"], "GBP"],
  [["zh-Hant-HK"], "EUR"],
  [["en-US"], "USD"],
  [["es-419", "es-MX"], "USD"],
  [["en"], "EUR"],
  [["de-DE"], "EUR"],
  [[""], "EUR"],
  [[], "EUR"],
])("guessCurrency() guesses from %p: %s", (tags, currency) => {
  expect(guessCurrency(tags)).toBe(currency as never);
});

describe("formatMoney()", () => {
  test.each([
    [123_456, "EUR", "en", "€1,234.56"],
    [123_456, "CHF", "de", "1.234,56 CHF"],
    [5, "USD", "en", "$0.05"],
    [-1600, "GBP", "en", "-£16.00"],
    [0, "EUR", "fr", "0,00 €"],
    [4968, "JPY", "en", "¥4,968"],
    [123_456_789_012_345, "EUR", "en", "€1,234,567,890,123.45"],
    [1234, "KWD", "en", "KWD 1.234"],
  ] as const)("%p of %s in %s reads %s", (amount, currency, language, text) => {
    expect(formatMoney({ amount, currency }, language).replaceAll(/\s/g, " ")).toBe(text);
  });

  test("knows the number of decimals of a currency", () => {
    expect(["EUR", "JPY", "KWD"].map(minorDigits)).toEqual([2, 0, 3]);
  });
});
