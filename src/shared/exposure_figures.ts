import { dataClassKey } from "./breach.ts";
import { DATA_GROUPS, type DataGroup, groupOf } from "./data_groups.ts";

/** One breach as it is counted. `open` until it is handled; null where the viewer does not manage it. */
export type CountedBreach<Open = boolean | null> = {
  /** YYYY-MM-DD; null where it is unknown. */
  breachDate: string | null;
  /** The source's own labels. */
  dataClasses: readonly string[];
  open: Open;
};

/** Statistics of several breaches. `open` is null where the viewer manages none of them. */
export type ExposureFigures<Open = number | null> = {
  breaches: number;
  open: Open;
  /** For each group the number of breaches that exposed it, the most severe group first, without empty groups. */
  groups: { group: DataGroup; breaches: number }[];
  /** By the year in which they happened, if it is known, the latest first, without empty years. */
  years: { year: number; breaches: number; open: Open }[];
};

export function figuresOf(breaches: readonly CountedBreach<boolean>[]): ExposureFigures<number>;
export function figuresOf(breaches: readonly CountedBreach[]): ExposureFigures;
export function figuresOf(breaches: readonly CountedBreach[]): ExposureFigures {
  const touched = breaches.map(({ dataClasses }) => new Set(dataClasses.map((label) => groupOf(dataClassKey(label)))));
  const groups = DATA_GROUPS.map((group) => ({ group, breaches: touched.filter((one) => one.has(group)).length }));
  const dated = breaches.flatMap((breach) => (breach.breachDate === null ? [] : { breach, date: breach.breachDate }));
  const years = Map.groupBy(dated, ({ date }) => Number(date.slice(0, 4)));
  return {
    ...counted(breaches),
    groups: groups.filter((one) => one.breaches > 0),
    years: [...years]
      .map(([year, all]) => ({ year, ...counted(all.map(({ breach }) => breach)) }))
      .toSorted((one, other) => other.year - one.year),
  };
}

function counted(breaches: readonly CountedBreach[]): { breaches: number; open: number | null } {
  const isManaged = breaches.every(({ open }) => open !== null);
  return { breaches: breaches.length, open: isManaged ? breaches.filter(({ open }) => open).length : null };
}
