import type { ExposureFigures } from "../../src/shared/exposure_figures.ts";

/** A year with breaches, or a range of years without any. */
export type YearRow = { from: number; to: number; breaches: number; open: number | null };

/** Rows from this year backwards; consecutive years without breaches are merged. */
export function yearRows(years: ExposureFigures["years"], thisYear: number): YearRow[] {
  let untold = thisYear;
  return years.flatMap(({ year, breaches, open }) => {
    const quiet = { from: year + 1, to: untold, breaches: 0, open: null };
    untold = year - 1;
    const row = { from: year, to: year, breaches, open };
    return quiet.from <= quiet.to ? [quiet, row] : [row];
  });
}
