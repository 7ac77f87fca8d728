import { adviceFor } from "../../shared/advice.ts";
import { isDrill } from "../../shared/breach.ts";
import type { ConsentScope } from "../../shared/consent.ts";
import type { Told } from "../../shared/disclosure.ts";
import { ok, type Result } from "../../shared/result.ts";
import { type AlertView, factsByName, HISTORY_MS, unknownBreach, viewOf } from "../alerts/alerts.ts";
import type { Alert, BreachDeps, BreachStore } from "../ports.ts";
import { ownsAddress } from "../traces/own_address.ts";
import { knownTimes } from "./watching.ts";

const LONGEST_LIST = 1000;

/** A breach of an address. Without an alert there is nothing to handle; instants in ISO 8601. */
export type Finding = Pick<AlertView, "breach" | "sources" | "foundUnder"> & {
  alertId: string | null;
  state: Alert["state"] | null;
  version: number | null;
  foundAt: string;
};

/** The monitoring of one address, as far as the viewer may see it. */
export type MonitoringView = {
  address: string;
  /** Whether it is the viewer's own, proven address. */
  owner: boolean;
  /** Null for the owner of the address, whose alerts belong to another account. */
  associationId: string | null;
  managedBy: { name: string } | null;
  scope: ConsentScope;
  status: "safe" | "active" | "breached" | "inactive";
  since: string;
  /** Null before the first check. */
  checkedAt: string | null;
  /** Null while nothing is checked. */
  nextCheckAt: string | null;
  pending: number;
  findings: Finding[];
  /** Of the steps advised for all breaches, how many are done; null for the owner of the address, who has no alerts. */
  progress: Progress | null;
  /** What the sources were told about the address: only for its owner, to whom it belongs. */
  told: Told[] | null;
};

/** A handled alert's steps count as done. */
export type Progress = { done: number; advised: number };

function progressOf(alerts: AlertView[]): Progress {
  const progress = { done: 0, advised: 0 };
  for (const { breach, state, steps } of alerts) {
    if (breach === null || isDrill(breach)) continue;
    const advised = adviceFor([breach]);
    progress.advised += advised.length;
    progress.done += state === "handled" ? advised.length : advised.filter((step) => steps.includes(step)).length;
  }
  return progress;
}

export async function toldOf({ disclosures }: Pick<BreachStore, "disclosures">, address: string): Promise<Told[]> {
  const told = await disclosures.list(address);
  return told.map(({ firstAt, lastAt, ...rest }) => ({
    ...rest,
    firstAt: firstAt.toISOString(),
    lastAt: lastAt.toISOString(),
  }));
}

/** The page of one address. */
export function monitoring(deps: BreachDeps) {
  const { transaction, monitoringAccess, people, feeds, now } = deps;
  /** For the account that tracks it: the alerts, which can be handled. */
  async function ownAlerts(store: BreachStore, associationId: string): Promise<AlertView[]> {
    return (await store.alerts.listByAssociation(associationId, new Date(0), LONGEST_LIST)).map(viewOf);
  }

  function findingsOf(views: AlertView[]): Finding[] {
    const since = new Date(now().getTime() - HISTORY_MS).toISOString();
    const shown = views.filter(({ handledAt }) => handledAt === null || handledAt > since);
    return shown.map(({ id, state, version, raisedAt, breach, sources, foundUnder }) => ({
      alertId: id,
      state,
      version,
      foundAt: raisedAt,
      breach,
      sources,
      foundUnder,
    }));
  }

  /** For the owner of the address: everything known about it, regardless of who tracks it. */
  async function allFindings(store: BreachStore, address: string): Promise<Finding[]> {
    const exposures = await store.alerts.listExposures(address, LONGEST_LIST);
    const facts = await factsByName(
      store,
      exposures.map(({ breachName }) => breachName),
    );
    return exposures.map(({ breachName, foundAt, sources }) => ({
      alertId: null,
      state: null,
      version: null,
      foundAt: foundAt.toISOString(),
      sources,
      foundUnder: [],
      breach: facts.get(breachName) ?? unknownBreach(breachName, foundAt),
    }));
  }

  return {
    /** What the sources were told about an address: for its owner, who need not have an account. */
    toldAbout: (address: string): Promise<Told[]> => transaction((store) => toldOf(store, address)),

    async showMonitoring(
      accountId: string,
      typed: string,
    ): Promise<Result<MonitoringView, "MONITORING_NOT_AUTHORISED" | "MONITORING_SUSPENDED" | "INVITATION_PENDING">> {
      const access = await monitoringAccess.of(accountId, typed);
      if (!access.ok) return access;
      const { address, associationId, managerId, scope, status, since } = access.value;
      const isMine = managerId === accountId;
      const owner = await ownsAddress(deps, accountId, address);
      const name = isMine ? undefined : await people.nameOf(managerId);
      return transaction(async (store) => {
        const alerts = isMine ? await ownAlerts(store, associationId) : [];
        const findings = isMine ? findingsOf(alerts) : await allFindings(store, address);
        const sources = feeds.map(({ source }) => source);
        const times = (await knownTimes(store, [address], sources)).get(address);
        return ok({
          address,
          owner,
          associationId: isMine ? associationId : null,
          scope,
          status,
          since: since.toISOString(),
          managedBy: isMine ? null : { name: name ?? "" },
          checkedAt: times?.checkedAt?.toISOString() ?? null,
          nextCheckAt: status === "inactive" ? null : (times?.dueAt?.toISOString() ?? null),
          pending: findings.filter(({ state }) => state === "pending").length,
          findings,
          progress: isMine ? progressOf(alerts) : null,
          told: owner ? await toldOf(store, address) : null,
        });
      });
    },
  };
}
