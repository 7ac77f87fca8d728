import type { BreachFacts } from "../../shared/breach.ts";
import type { ConsentScope } from "../../shared/consent.ts";
import { ok, type Result } from "../../shared/result.ts";
import { factsByName, HISTORY_MS, unknownBreach, viewOf } from "../alerts/alerts.ts";
import type { Alert, BreachDeps, BreachStore } from "../ports.ts";
import { ownsAddress } from "../traces/own_address.ts";
import { knownTimes } from "./watching.ts";

const LONGEST_LIST = 1000;

/** A breach of an address. Without an alert there is nothing to handle; instants in ISO 8601. */
export type Finding = {
  alertId: string | null;
  state: Alert["state"] | null;
  version: number | null;
  foundAt: string;
  /** Null if the owner of the address does not share details. */
  breach: BreachFacts | null;
  /** The sources that found it; empty without a breach. */
  sources: string[];
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
};

/** The page of one address. */
export function monitoring(deps: BreachDeps) {
  const { transaction, monitoringAccess, people, feeds, now } = deps;
  /** For the account that tracks it: the alerts, which can be handled. */
  async function ownFindings(store: BreachStore, associationId: string): Promise<Finding[]> {
    const since = new Date(now().getTime() - HISTORY_MS);
    const views = await viewOf(store, await store.alerts.listByAssociation(associationId, since, LONGEST_LIST));
    return views.map(({ id, state, version, raisedAt, breach, sources }) => ({
      alertId: id,
      state,
      version,
      foundAt: raisedAt,
      breach,
      sources,
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
      breach: facts.get(breachName) ?? unknownBreach(breachName, foundAt),
    }));
  }

  return {
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
        const findings = isMine ? await ownFindings(store, associationId) : await allFindings(store, address);
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
        });
      });
    },
  };
}
