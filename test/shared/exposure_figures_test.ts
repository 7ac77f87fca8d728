import { describe, expect, test } from "bun:test";
import { type CountedBreach, figuresOf } from "../../src/shared/exposure_figures.ts";

const one = (breachDate: string, dataClasses: string[] = [], open: boolean | null = true): CountedBreach => ({
  breachDate,
  dataClasses,
  open,
});

describe("figuresOf()", () => {
  test("counts a breach once in each of its groups, most sensitive group first, unknown categories last", () => {
    const { breaches, groups } = figuresOf([
      one("2024-01-01", ["Phone numbers", "Email addresses", "Passwords"]),
      one("2024-01-01", ["Email addresses", "Passwords", "Usernames", "Password hints"]),
      one("2024-01-01", ["Shoe colours", "Dreams & hopes", "Email addresses"]),
      one("2024-01-01", ["Credit cards"]),
    ]);
    expect(breaches).toBe(4);
    expect(groups).toEqual([
      { group: "sign_in", breaches: 2 },
      { group: "money", breaches: 1 },
      { group: "contact", breaches: 3 },
      { group: "other", breaches: 1 },
    ]);
  });

  test("counts years as stated, latest first, with the number of pending ones", () => {
    const { open, years } = figuresOf([
      one("2019-12-31", [], false),
      one("2021-01-01", [], false),
      one("2019-01-01"),
      one("2026-11-20T23:59:59Z"),
    ]);
    expect(open).toBe(2);
    expect(years).toEqual([
      { year: 2026, breaches: 1, open: 1 },
      { year: 2021, breaches: 1, open: 0 },
      { year: 2019, breaches: 2, open: 1 },
    ]);
  });

  test("omits pending numbers if they are not known for all", () => {
    const { open, years } = figuresOf([one("2019-12-31", [], null), one("2019-01-01", [], true), one("2020-01-01")]);
    expect([open, years.map((year) => year.open)]).toEqual([null, [1, null]]);
  });

  test("are empty without breaches", () => {
    expect(figuresOf([])).toEqual({ breaches: 0, open: 0, groups: [], years: [] });
  });
});
