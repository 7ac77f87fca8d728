import { type AlertSort, type AlertStateFilter, type Direction, firstDirection } from "../../shared/alert.ts";
import { type BreachFacts, type BreachFlag, dataClassKey, isDrill } from "../../shared/breach.ts";
import { type ExposureFigures, figuresOf } from "../../shared/exposure_figures.ts";
import { ok, type Result } from "../../shared/result.ts";
import { rankOf, severityOf } from "../../shared/severity.ts";
import type { AlertFilter, BreachDeps, BreachStore } from "../ports.ts";
import { type AlertView, factsByName, HISTORY_MS, unknownBreach, viewOf } from "./alerts.ts";

/** Limit of the addresses offered as filter. */
const MOST_ADDRESSES = 500;

export const ALERTS_PER_PAGE = 25;

/** Filter and order of the table. */
export type AlertSelection = {
  state: AlertStateFilter;
  search: string;
  address?: string;
  /** The key of a data category. */
  category?: string;
  flag?: BreachFlag | undefined;
  sort?: AlertSort;
  direction?: Direction | undefined;
};
export type AlertQuery = AlertSelection & { page: number };
export type AlertPage = { items: AlertView[]; total: number; page: number; pageSize: number; pending: number };

/** The available filters, each with its number of alerts. */
export type AlertFacets = {
  addresses: { address: string; count: number }[];
  /** `label` is the source's own, for a category that nobody has translated yet. */
  categories: { key: string; label: string; count: number }[];
  flags: { flag: BreachFlag; count: number }[];
};

/** `undisclosed` counts alerts without details, which the figures leave out. */
export type AlertFigures = ExposureFigures<number> & { undisclosed: number };

/** The table of an account's alerts. */
export function alertList({ transaction, now }: BreachDeps) {
  return {
    /** One page, newest first unless it is asked for in another order; `pending` counts all that wait. */
    listAlerts(accountId: string, { page, ...selection }: AlertQuery): Promise<Result<AlertPage>> {
      return transaction(async (store) => {
        const filter = await filterOf(store, { accountId, selection, now: now() });
        const offset = (page - 1) * ALERTS_PER_PAGE;
        const { alerts, total, pending } = await store.alerts.list(accountId, filter, offset, ALERTS_PER_PAGE);
        return ok({ items: alerts.map(viewOf), total, page, pageSize: ALERTS_PER_PAGE, pending });
      });
    },

    /** The most severe pending alert, among equals the latest; null when there is none. */
    mostUrgentAlert(accountId: string): Promise<string | null> {
      return transaction(async (store) => {
        const selection = { state: "pending", search: "", sort: "seriousness" } as const;
        const filter = await filterOf(store, { accountId, selection, now: now() });
        const { alerts } = await store.alerts.list(accountId, filter, 0, 1);
        return alerts[0]?.id ?? null;
      });
    },

    /** Over the unfiltered table. Undisclosed alerts count by address only. */
    listFacets(accountId: string): Promise<Result<AlertFacets>> {
      return transaction(async (store) => {
        const since = historySince(now());
        const addresses = mostOf(await store.alerts.countByAddress(accountId, since));
        const { breaches } = await disclosed(store, accountId, now());
        return ok({ addresses, ...facetsOf(breaches) });
      });
    },

    /** Over the unfiltered table, too; a breach counts once, regardless of the number of addresses. */
    showFigures(accountId: string): Promise<Result<AlertFigures>> {
      return transaction(async (store) => {
        const { breaches, undisclosed } = await disclosed(store, accountId, now());
        const real = breaches.filter(({ facts }) => !isDrill(facts));
        const figures = figuresOf(real.map(({ facts, pending }) => ({ ...facts, open: pending > 0 })));
        return ok({ ...figures, undisclosed });
      });
    },
  };
}

/** In their order; of too many addresses those with the most alerts are offered, the others can be searched. */
export function mostOf<Counted extends { count: number }>(addresses: Counted[]): Counted[] {
  if (addresses.length <= MOST_ADDRESSES) return addresses;
  const most = new Set(addresses.toSorted((a, b) => b.count - a.count).slice(0, MOST_ADDRESSES));
  return addresses.filter((one) => most.has(one));
}

/** Alerts handled before this time are no longer shown. */
export function historySince(now: Date): Date {
  return new Date(now.getTime() - HISTORY_MS);
}

type Wanted = { accountId: string; selection: AlertSelection; now: Date };

/** An account has few breaches, so filters and ranks on them are evaluated here, once per breach. */
export async function filterOf(store: BreachStore, { accountId, selection, now }: Wanted): Promise<AlertFilter> {
  const { state, search, address = "", category = "", flag, sort = "found" } = selection;
  const direction = selection.direction ?? firstDirection(sort);
  const isChosen = category !== "" || flag !== undefined;
  const isAsked = isChosen || sort === "seriousness";
  const { breaches } = isAsked ? await disclosed(store, accountId, now) : { breaches: [] };
  const fits = ({ facts: { dataClasses, flags } }: Disclosed) =>
    (category === "" || dataClasses.some((label) => dataClassKey(label) === category)) &&
    (flag === undefined || flags.includes(flag));
  return {
    ...(state !== "all" && { state }),
    ...(search !== "" && { search }),
    ...(address !== "" && { address }),
    ...(isChosen && { breachNames: breaches.filter(fits).map(({ facts }) => facts.name) }),
    handledAfter: historySince(now),
    order: { by: sort, direction, ...(sort === "seriousness" && { ranking: rankedNames(breaches, now) }) },
  };
}

type Disclosed = { facts: BreachFacts; count: number; pending: number };

/** The breaches in the account's table of which details may be seen, and the number of the other alerts. */
async function disclosed(
  store: BreachStore,
  accountId: string,
  now: Date,
): Promise<{ breaches: Disclosed[]; undisclosed: number }> {
  const { breaches, undisclosed } = await store.alerts.countByBreach(accountId, historySince(now));
  const facts = await factsByName(
    store,
    breaches.map(({ breachName }) => breachName),
  );
  const counted = breaches.map(({ breachName, ...counts }) => ({
    facts: facts.get(breachName) ?? unknownBreach(breachName, now),
    ...counts,
  }));
  return { breaches: counted, undisclosed };
}

/** From the least to the most severe; among equals, the latest known comes last. */
function rankedNames(breaches: Disclosed[], now: Date): string[] {
  const ranked = breaches.map(({ facts }) => ({ ...facts, rank: rankOf(severityOf(facts, now).level) }));
  ranked.sort((a, b) => a.rank - b.rank || compare(a.addedDate, b.addedDate) || compare(a.name, b.name));
  return ranked.map(({ name }) => name);
}

function facetsOf(breaches: Disclosed[]): Pick<AlertFacets, "categories" | "flags"> {
  const categories = new Map<string, { key: string; label: string; count: number }>();
  const flags = new Map<BreachFlag, number>();
  for (const { facts, count } of breaches) {
    const labels = new Map(facts.dataClasses.map((label) => [dataClassKey(label), label]));
    for (const [key, label] of labels)
      categories.set(key, { label, ...categories.get(key), key, count: (categories.get(key)?.count ?? 0) + count });
    for (const flag of new Set(facts.flags)) flags.set(flag, (flags.get(flag) ?? 0) + count);
  }
  return {
    categories: [...categories.values()].sort((a, b) => b.count - a.count || compare(a.key, b.key)),
    flags: [...flags]
      .map(([flag, count]) => ({ flag, count }))
      .sort((a, b) => b.count - a.count || compare(a.flag, b.flag)),
  };
}

function compare(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
