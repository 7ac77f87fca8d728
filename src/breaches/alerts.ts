import type { AlertFacts, BreachFacts } from "../shared/breach.ts";
import { fail, ok, type Result } from "../shared/result.ts";
import type { Alert, BreachDeps, BreachRepository, BreachStore, SeenAlert } from "./ports.ts";

export const ALERTS_PER_PAGE = 25;
/** Handled alerts leave the table after 30 days; pending ones never do. */
export const HISTORY_MS = 30 * 24 * 3_600_000;

/** An alert as its owner sees it; instants in ISO 8601. */
export type AlertView = {
  id: string;
  associationId: string;
  address: string;
  state: Alert["state"];
  baseline: boolean;
  raisedAt: string;
  handledAt: string | null;
  version: number;
  /** Null where the owner of the address shares no more than that something happened. */
  breach: BreachFacts | null;
  /** Which sources found it; none without a breach. */
  sources: string[];
};

export type AlertPage = { items: AlertView[]; total: number; page: number; pageSize: number; pending: number };
export type AlertQuery = { state: "all" | Alert["state"]; search: string; page: number };

/** Alerts with the facts of their breaches, as far as their account may see them. */
export async function viewOf({ breaches, exposures }: BreachStore, list: SeenAlert[]): Promise<AlertView[]> {
  const names = list.flatMap(({ details, breachName }) => (details ? [breachName] : []));
  const facts = await factsByName(breaches, names);
  const found = await exposures.sourcesOf([...new Set(list.map(({ address }) => address))]);
  const sources = new Map(found.map((row) => [`${row.address} ${row.breachName}`, row.sources]));
  return list.map((alert) => ({
    id: alert.id,
    associationId: alert.associationId,
    address: alert.address,
    state: alert.state,
    baseline: alert.baseline,
    raisedAt: alert.raisedAt.toISOString(),
    handledAt: alert.handledAt?.toISOString() ?? null,
    version: alert.version,
    breach: alert.details ? (facts.get(alert.breachName) ?? unknownBreach(alert.breachName, alert.raisedAt)) : null,
    sources: alert.details ? (sources.get(`${alert.address} ${alert.breachName}`) ?? []) : [],
  }));
}

export async function factsByName(breaches: BreachRepository, names: string[]): Promise<Map<string, BreachFacts>> {
  const found = await breaches.listByNames([...new Set(names)]);
  return new Map(found.map((breach) => [breach.name, factsOf(breach)]));
}

/** Reading alerts and turning them between pending and handled. */
export function alerts({ transaction, now }: BreachDeps) {
  function turn(
    accountId: string,
    id: string,
    version: number,
    state: Alert["state"],
  ): Promise<Result<AlertView, "NOT_FOUND" | "ALERT_CHANGED">> {
    return transaction(async (store) => {
      const alert = await store.alerts.find(accountId, id);
      if (alert === undefined) return fail("NOT_FOUND");
      const changed = alert.version === version ? await store.alerts.setState(alert, state, now()) : undefined;
      if (changed === undefined) return fail("ALERT_CHANGED");
      const { open, version: count } = await store.alerts.countOpen(alert.associationId);
      await store.events.publish({
        type: "breaches.openAlertsChanged",
        associationId: alert.associationId,
        open,
        version: count,
      });
      const [view] = await viewOf(store, [{ ...changed, details: alert.details }]);
      return view ? ok(view) : fail("NOT_FOUND");
    });
  }

  return {
    /** One page of an account's alerts, newest first; `pending` counts all that wait. */
    listAlerts(accountId: string, { state, search, page }: AlertQuery): Promise<Result<AlertPage>> {
      return transaction(async (store) => {
        const filter = {
          ...(state !== "all" && { state }),
          ...(search !== "" && { search }),
          handledAfter: new Date(now().getTime() - HISTORY_MS),
        };
        const { alerts: found, total } = await store.alerts.list(
          accountId,
          filter,
          (page - 1) * ALERTS_PER_PAGE,
          ALERTS_PER_PAGE,
        );
        const pending = await store.alerts.countPending(accountId);
        return ok({ items: await viewOf(store, found), total, page, pageSize: ALERTS_PER_PAGE, pending });
      });
    },

    showAlert(accountId: string, id: string): Promise<Result<AlertView, "NOT_FOUND">> {
      return transaction(async (store) => {
        const alert = await store.alerts.find(accountId, id);
        const [view] = alert ? await viewOf(store, [alert]) : [];
        return view ? ok(view) : fail("NOT_FOUND");
      });
    },

    /** Pending to handled; `version` is the one the person saw, so that two tabs cannot lose a change. */
    handleAlert: (accountId: string, id: string, version: number) => turn(accountId, id, version, "handled"),

    reopenAlert: (accountId: string, id: string, version: number) => turn(accountId, id, version, "pending"),

    /** What messages tell of these alerts; those that are gone are missing from the answer. */
    factsOfAlerts(ids: string[]): Promise<AlertFacts[]> {
      return transaction(async (store) => {
        const list = await store.alerts.listByIds(ids);
        const accounts = new Map(list.map((alert) => [alert.id, alert.accountId]));
        const views = await viewOf(store, list);
        return views.map(({ id, associationId, address, state, raisedAt, breach }) => ({
          alertId: id,
          associationId,
          accountId: accounts.get(id) ?? "",
          address,
          state,
          raisedAt,
          breach,
        }));
      });
    },
  };
}

function factsOf({
  name,
  title,
  domain,
  breachDate,
  addedDate,
  dataClasses,
  flags,
  pwnCount,
}: BreachFacts): BreachFacts {
  return { name, title, domain, breachDate, addedDate, dataClasses, flags, pwnCount };
}

/** Stands in for a breach that no catalogue explains. */
export function unknownBreach(name: string, foundAt: Date): BreachFacts {
  const addedDate = foundAt.toISOString();
  const breachDate = addedDate.slice(0, 10);
  return { name, title: name, domain: "", breachDate, addedDate, dataClasses: [], flags: [], pwnCount: 0 };
}
