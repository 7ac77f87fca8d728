import { expect, test } from "bun:test";
import { withFirst } from "../../src/shared/first_of_month.ts";
import { LANGUAGES } from "../../src/shared/language.ts";

const styles = ["medium", "long", "full"] as const;
const dateOf = (iso: string, locale: string, dateStyle: (typeof styles)[number]) =>
  withFirst(new Intl.DateTimeFormat(locale, { dateStyle, timeZone: "UTC" }).format(new Date(iso)), locale);

test("withFirst() writes the first of a month as is usual in French and Italian", () => {
  expect(dateOf("2024-03-01", "fr", "medium")).toBe("1er mars 2024");
  expect(dateOf("2024-05-01", "fr", "full")).toBe("mercredi 1er mai 2024");
  expect(dateOf("2024-03-01", "it", "medium")).toBe("1º mar 2024");
  expect(dateOf("2024-05-01", "it", "full")).toBe("mercoledì 1º maggio 2024");
});

test("withFirst() leaves every other day and language unchanged", () => {
  for (const style of styles) {
    for (const day of ["02", "10", "11", "21", "31"])
      for (const locale of ["fr", "it"]) expect(dateOf(`2024-03-${day}`, locale, style)).not.toMatch(/\d(?:er|º) /);
    for (const locale of LANGUAGES.filter((language) => !["fr", "it"].includes(language)))
      expect(dateOf("2024-03-01", locale, style)).toBe(
        new Intl.DateTimeFormat(locale, { dateStyle: style, timeZone: "UTC" }).format(new Date("2024-03-01")),
      );
  }
});
