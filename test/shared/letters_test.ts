import { describe, expect, test } from "bun:test";
import { answerDue, LETTER_COUNTRIES, lawOf } from "../../src/shared/letters.ts";

describe("lawOf()", () => {
  test("is the GDPR in the 30 countries of the EEA, and each other country's own law or none", () => {
    const count = (law: string) => LETTER_COUNTRIES.filter((country) => lawOf(country) === law).length;
    expect([count("eu"), count("ch"), count("gb"), count("none")]).toEqual([30, 1, 1, 1]);
    expect([lawOf("NO"), lawOf("CH"), lawOf("GB"), lawOf("US")]).toEqual(["eu", "ch", "gb", "none"]);
  });
});

describe("answerDue()", () => {
  test.each([
    ["2026-11-27", "2026-12-27"],
    ["2026-12-31", "2027-01-31"],
    ["2027-01-31", "2027-02-28"],
    ["2028-01-30", "2028-02-29"],
    ["2026-03-31", "2026-04-30"],
    ["2026-02-28", "2026-03-28"],
  ])("is a month after %s: %s", (sentOn, dueOn) => {
    expect(answerDue(sentOn, "eu")).toBe(dueOn);
    expect(answerDue(sentOn, "gb")).toBe(dueOn);
  });

  test("is 30 days later in Switzerland, and open where no law sets a deadline", () => {
    expect(answerDue("2027-01-31", "ch")).toBe("2027-03-02");
    expect(answerDue("2027-01-31", "none")).toBeUndefined();
  });
});
