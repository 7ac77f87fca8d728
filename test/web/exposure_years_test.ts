import { describe, expect, test } from "bun:test";
import { yearRows } from "../../web/shared/exposure_years.ts";

const year = (one: number, breaches = 1) => ({ year: one, breaches, open: 0 });
const told = (years: ReturnType<typeof year>[], thisYear = 2026) =>
  yearRows(years, thisYear).map(({ from, to, breaches }) => [from, to, breaches]);

describe("yearRows()", () => {
  test("combines quiet years between two others, and those since the last", () => {
    expect(told([year(2024, 3), year(2023), year(2021, 2), year(2013)])).toEqual([
      [2025, 2026, 0],
      [2024, 2024, 3],
      [2023, 2023, 1],
      [2022, 2022, 0],
      [2021, 2021, 2],
      [2014, 2020, 0],
      [2013, 2013, 1],
    ]);
  });

  test("starts with the current year if it had breaches, or with a later one that a source states", () => {
    expect(told([year(2026)])).toEqual([[2026, 2026, 1]]);
    expect(told([year(2027), year(2025)])).toEqual([
      [2027, 2027, 1],
      [2026, 2026, 0],
      [2025, 2025, 1],
    ]);
  });

  test("keeps the number of pending ones where it is known", () => {
    expect(yearRows([{ year: 2025, breaches: 2, open: null }], 2026).map(({ open }) => open)).toEqual([null, null]);
    expect(yearRows([], 2026)).toEqual([]);
  });
});
