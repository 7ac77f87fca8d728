import type { MemoryTables } from "../../database/memory.ts";
import type { Breach } from "../breach.ts";
import type { Alert, AlertRepository, Exposure, SeenAlert, Watch } from "../ports.ts";

export type BreachRow = {
  source: string;
  breach: Breach;
  hash: string;
  removedAt: Date | undefined;
  sameAs: string | undefined;
};

function compareDown(a: string, b: string): number {
  return a === b ? 0 : a < b ? 1 : -1;
}

export function memoryAlerts(tables: MemoryTables): AlertRepository {
  const breachRows = tables<BreachRow>("breaches.breach");
  const watchRows = tables<Watch>("breaches.watch");
  const exposures = tables<Exposure & { address: string }>("breaches.exposure");
  const alertRows = tables<Alert>("breaches.alert");
  const counts = tables<{ version: number }>("breaches.alert_count");

  const titleOf = (name: string) => breachRows.get(name)?.breach.title ?? name;
  const searchedText = (row: SeenAlert) =>
    row.details ? `${row.address} ${titleOf(row.breachName).toLowerCase()}` : row.address;
  const addedDate = (name: string) => breachRows.get(name)?.breach.addedDate ?? "";
  const byAge = (a: SeenAlert, b: SeenAlert) =>
    b.raisedAt.getTime() - a.raisedAt.getTime() ||
    compareDown(a.details ? addedDate(a.breachName) : "", b.details ? addedDate(b.breachName) : "") ||
    compareDown(a.id, b.id);
  /** A breach that nobody has listed yet may turn out to be sensitive. */
  function isWithinScope({ sensitive }: Watch, breachName: string): boolean {
    return sensitive || breachRows.get(breachName)?.breach.flags.includes("sensitive") === false;
  }
  const seen = (matches: (row: Alert) => boolean): SeenAlert[] =>
    alertRows.filter(matches).flatMap((row) => {
      const watch = watchRows.get(row.associationId);
      return watch && isWithinScope(watch, row.breachName) ? [{ ...row, details: watch.details }] : [];
    });

  function raiseMissing(addresses: string[], now: Date): Alert[] {
    const added: Alert[] = [];
    for (const watch of watchRows.filter((row) => addresses.includes(row.address) && !row.suspended)) {
      for (const { breachName } of exposures.filter((row) => row.address === watch.address)) {
        if (!isWithinScope(watch, breachName)) continue;
        if (alertRows.find((row) => row.associationId === watch.associationId && row.breachName === breachName))
          continue;
        const { associationId, accountId, address } = watch;
        const baseline = watch.baselineAt === undefined;
        const alert: Alert = {
          ...{ id: Bun.randomUUIDv7(), associationId, accountId, address, breachName, state: "pending", baseline },
          ...{ raisedAt: now, handledAt: undefined, version: 1 },
        };
        alertRows.set(alert.id, alert);
        added.push(alert);
      }
    }
    return added;
  }

  return {
    async addMissing(address, breachNames, now) {
      for (const breachName of breachNames)
        exposures.set(
          `${address} ${breachName}`,
          exposures.get(`${address} ${breachName}`) ?? { address, breachName, foundAt: now, sources: [] },
        );
      return raiseMissing([address], now);
    },
    addMissingOf: async (addresses, now) => raiseMissing(addresses, now),
    find: async (accountId, id) => seen((row) => row.id === id && row.accountId === accountId)[0],
    listByIds: async (ids) => seen((row) => ids.includes(row.id)),
    async listByAssociation(associationId, handledAfter, limit) {
      const found = seen(
        (row) => row.associationId === associationId && (row.handledAt === undefined || row.handledAt > handledAfter),
      );
      return found.sort(byAge).slice(0, limit);
    },
    async listExposures(address, limit) {
      const found = exposures.filter((row) => row.address === address);
      found.sort(
        (a, b) =>
          b.foundAt.getTime() - a.foundAt.getTime() || compareDown(addedDate(a.breachName), addedDate(b.breachName)),
      );
      return found.slice(0, limit).map(({ breachName, foundAt, sources }) => ({ breachName, foundAt, sources }));
    },
    async list(accountId, { state, search, handledAfter }, offset, limit) {
      const words = search?.toLowerCase();
      const found = seen(
        (row) =>
          row.accountId === accountId &&
          (state === undefined || row.state === state) &&
          (row.handledAt === undefined || row.handledAt > handledAfter),
      );
      const matches = found.filter((row) => words === undefined || searchedText(row).includes(words));
      return { alerts: matches.sort(byAge).slice(offset, offset + limit), total: matches.length };
    },
    countPending: async (accountId) => seen((row) => row.accountId === accountId && row.state === "pending").length,
    async listBreachNames(accountId, address) {
      const own = alertRows.filter((row) => row.accountId === accountId && row.address === address);
      return [...new Set(own.map(({ breachName }) => breachName))];
    },
    async listBaselineIds(associationId) {
      return alertRows.filter((row) => row.associationId === associationId && row.baseline).map(({ id }) => id);
    },
    async setState(alert, state, now) {
      const stored = alertRows.get(alert.id);
      if (stored?.version !== alert.version) return undefined;
      const changed: Alert = {
        ...stored,
        state,
        handledAt: state === "handled" ? now : undefined,
        version: stored.version + 1,
      };
      alertRows.set(alert.id, changed);
      return changed;
    },
    async removeByAssociation(associationId) {
      alertRows.removeWhere((row) => row.associationId === associationId);
      counts.delete(associationId);
    },
    async countOpen(associationId) {
      const version = (counts.get(associationId)?.version ?? 0) + 1;
      counts.set(associationId, { version });
      const open = seen((row) => row.associationId === associationId && row.state === "pending").length;
      return { open, version };
    },
    async removeExposures(address) {
      exposures.removeWhere((row) => row.address === address);
    },
  };
}
