import { dataClassKey } from "./breach.ts";
import { DATA_GROUPS, type DataGroup, groupOf } from "./data_groups.ts";

/** What counts of a breach. `open` while it has to be handled; null where its viewer does not manage it. */
export type CountedBreach<Open = boolean | null> = {
  /** YYYY-MM-DD. */
  breachDate: string;
  /** The source's own labels. */
  dataClasses: readonly string[];
  open: Open;
};

/** Several breaches in figures. `open` is null where nobody here manages them. */
export type ExposureFigures<Open = number | null> = {
  breaches: number;
  open: Open;
  /** In how many of them something of each group was stolen: the gravest group first, those without any left out. */
  groups: { group: DataGroup; breaches: number }[];
  /** By the year in which they happened, the latest first; years without any are left out. */
  years: { year: number; breaches: number; open: Open }[];
};

export function figuresOf(breaches: readonly CountedBreach<boolean>[]): ExposureFigures<number>;
export function figuresOf(breaches: readonly CountedBreach[]): ExposureFigures;
export function figuresOf(breaches: readonly CountedBreach[]): ExposureFigures {
  const touched = breaches.map(({ dataClasses }) => new Set(dataClasses.map((label) => groupOf(dataClassKey(label)))));
  const groups = DATA_GROUPS.map((group) => ({ group, breaches: touched.filter((one) => one.has(group)).length }));
  const years = Map.groupBy(breaches, ({ breachDate }) => Number(breachDate.slice(0, 4)));
  return {
    ...counted(breaches),
    groups: groups.filter((one) => one.breaches > 0),
    years: [...years].map(([year, all]) => ({ year, ...counted(all) })).toSorted((one, other) => other.year - one.year),
  };
}

function counted(breaches: readonly CountedBreach[]): { breaches: number; open: number | null } {
  const isManaged = breaches.every(({ open }) => open !== null);
  return { breaches: breaches.length, open: isManaged ? breaches.filter(({ open }) => open).length : null };
}
