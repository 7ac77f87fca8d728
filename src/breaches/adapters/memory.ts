import type { MemoryTables } from "../../database/memory.ts";
import { memoryEvents } from "../../events/adapters/memory.ts";
import type { Breach } from "../breach.ts";
import type { Alert, BreachStore, ClaimedScan, SourceState, Watch } from "../ports.ts";

type BreachRow = { source: string; breach: Breach; hash: string; removedAt: Date | undefined };
type SourceRow = SourceState & { nextPollAt: Date };
type ScanRow = {
  address: string;
  dueAt: Date;
  checkedAt: Date | undefined;
  generation: number;
  request: number;
  failures: number;
  retryAt: Date | undefined;
  leaseToken: string | undefined;
  leaseUntil: Date | undefined;
};
type Exposure = { address: string; breachName: string };

const newSource = (source: string): SourceRow => ({
  source,
  latestName: undefined,
  latestAdded: undefined,
  generation: 0,
  syncedAt: undefined,
  checkedAt: undefined,
  trouble: undefined,
  lookUpTrouble: undefined,
  nextPollAt: new Date(0),
});

function compareDown(a: string, b: string): number {
  return a === b ? 0 : a < b ? 1 : -1;
}

export function memoryBreaches(tables: MemoryTables): BreachStore {
  const breachRows = tables<BreachRow>("breaches.breach");
  const sourceRows = tables<SourceRow>("breaches.source");
  const scanRows = tables<ScanRow>("breaches.scan");
  const watchRows = tables<Watch>("breaches.watch");
  const exposures = tables<Exposure>("breaches.exposure");
  const alertRows = tables<Alert>("breaches.alert");
  const counts = tables<{ version: number }>("breaches.alert_count");

  const findSource = (source: string) => sourceRows.get(source) ?? newSource(source);
  const isDue = (row: ScanRow, generation: number, now: Date) =>
    (row.dueAt <= now || row.generation < generation) &&
    (row.retryAt === undefined || row.retryAt <= now) &&
    (row.leaseUntil === undefined || row.leaseUntil < now);
  const released = (row: ScanRow): ScanRow => ({ ...row, leaseToken: undefined, leaseUntil: undefined });
  const ifHeld = (scan: ClaimedScan, change: (row: ScanRow) => ScanRow) => {
    const row = scanRows.get(scan.address);
    if (row?.leaseToken !== scan.leaseToken) return false;
    scanRows.set(scan.address, released(change(row)));
    return true;
  };
  const titleOf = (name: string) => breachRows.get(name)?.breach.title ?? name;
  const searchedText = (row: Alert) => `${row.address} ${titleOf(row.breachName).toLowerCase()}`;
  const addedDate = ({ breachName }: Alert) => breachRows.get(breachName)?.breach.addedDate ?? "";
  const byAge = (a: Alert, b: Alert) =>
    b.raisedAt.getTime() - a.raisedAt.getTime() || compareDown(addedDate(a), addedDate(b)) || compareDown(a.id, b.id);

  return {
    events: memoryEvents(tables),
    breaches: {
      async hashes(source) {
        const rows = breachRows.filter((row) => row.source === source && row.removedAt === undefined);
        return new Map(rows.map((row) => [row.breach.name, row.hash]));
      },
      find: async (name) => breachRows.get(name)?.breach,
      listByNames: async (names) => names.flatMap((name) => breachRows.get(name)?.breach ?? []),
      async put(source, list) {
        for (const { breach, hash } of list)
          breachRows.set(breach.name, { source, breach, hash, removedAt: undefined });
      },
      async markRemoved(source, names, now) {
        for (const row of breachRows.filter((row) => row.source === source && names.includes(row.breach.name))) {
          breachRows.set(row.breach.name, { ...row, removedAt: now });
        }
      },
      count: async () => breachRows.filter().length,
    },
    sources: {
      async find(source) {
        const { nextPollAt: _, ...state } = findSource(source);
        return state;
      },
      async claimPoll(source, now, nextPollAt) {
        const row = findSource(source);
        if (row.nextPollAt > now) return false;
        sourceRows.set(source, { ...row, nextPollAt });
        return true;
      },
      async save(state) {
        const row = findSource(state.source);
        sourceRows.set(state.source, { ...row, ...state, generation: Math.max(row.generation, state.generation) });
      },
    },
    scans: {
      async add(address, now) {
        const row = scanRows.get(address);
        const fresh = {
          checkedAt: undefined,
          generation: 0,
          request: 0,
          failures: 0,
          leaseToken: undefined,
          leaseUntil: undefined,
        };
        scanRows.set(address, {
          ...fresh,
          ...row,
          address,
          dueAt: now,
          request: (row?.request ?? 0) + 1,
          retryAt: undefined,
        });
      },
      async remove(address) {
        scanRows.delete(address);
      },
      async claimDue(source, limit, now, leaseMs) {
        const { generation } = findSource(source);
        const due = scanRows.filter((row) => isDue(row, generation, now));
        due.sort(
          (a, b) => (a.checkedAt?.getTime() ?? 0) - (b.checkedAt?.getTime() ?? 0) || (a.address < b.address ? -1 : 1),
        );
        return due.slice(0, limit).map((row) => {
          const leaseToken = crypto.randomUUID();
          scanRows.set(row.address, { ...row, leaseToken, leaseUntil: new Date(now.getTime() + leaseMs) });
          return { address: row.address, generation, request: row.request, failures: row.failures, leaseToken };
        });
      },
      finish: async (scan, checkedAt, nextAt) =>
        ifHeld(scan, (row) => ({
          ...row,
          checkedAt,
          generation: scan.generation,
          dueAt: row.request === scan.request ? nextAt : row.dueAt,
          failures: 0,
          retryAt: undefined,
        })),
      async release(scan, retryAt, failed) {
        ifHeld(scan, (row) => ({ ...row, retryAt, failures: row.failures + (failed ? 1 : 0) }));
      },
      async timesOf(addresses) {
        const rows = addresses.flatMap((address) => scanRows.get(address) ?? []);
        return new Map(rows.map(({ address, checkedAt, dueAt }) => [address, { checkedAt, dueAt }]));
      },
      async backlog(source, now) {
        const { generation } = findSource(source);
        const due = scanRows.filter((row) => row.dueAt <= now || row.generation < generation);
        return { due: due.length, oldest: due.map((row) => row.dueAt).sort((a, b) => a.getTime() - b.getTime())[0] };
      },
    },
    watches: {
      async add(watch) {
        watchRows.set(
          watch.associationId,
          watchRows.get(watch.associationId) ?? { ...watch, baselineAt: undefined, suspended: false },
        );
      },
      remove: async (associationId) => void watchRows.delete(associationId),
      // Memory transactions take turns anyway.
      leaveInTurn: async () => {},
      async setSuspended(associationId, suspended) {
        const watch = watchRows.get(associationId);
        if (watch) watchRows.set(associationId, { ...watch, suspended });
        return watch !== undefined;
      },
      listActive: async (address) => watchRows.filter((watch) => watch.address === address && !watch.suspended),
      countAll: async (address) => watchRows.filter((watch) => watch.address === address).length,
      listByAccount: async (accountId) => watchRows.filter((watch) => watch.accountId === accountId),
      find: async (associationId) => watchRows.get(associationId),
      async markBaseline(associationId, now) {
        const watch = watchRows.get(associationId);
        if (watch === undefined || watch.baselineAt !== undefined) return false;
        watchRows.set(associationId, { ...watch, baselineAt: now });
        return true;
      },
    },
    alerts: {
      async addMissing(address, breachNames, now) {
        for (const breachName of breachNames) exposures.set(`${address} ${breachName}`, { address, breachName });
        const added: Alert[] = [];
        for (const watch of watchRows.filter((row) => row.address === address && !row.suspended)) {
          for (const { breachName } of exposures.filter((row) => row.address === address)) {
            if (alertRows.find((row) => row.associationId === watch.associationId && row.breachName === breachName))
              continue;
            const { associationId, accountId } = watch;
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
      },
      find: async (accountId, id) => alertRows.find((row) => row.id === id && row.accountId === accountId),
      listByIds: async (ids) => ids.flatMap((id) => alertRows.get(id) ?? []),
      async list(accountId, { state, search, handledAfter }, offset, limit) {
        const words = search?.toLowerCase();
        const matches = alertRows.filter(
          (row) =>
            row.accountId === accountId &&
            (state === undefined || row.state === state) &&
            (row.handledAt === undefined || row.handledAt > handledAfter) &&
            (words === undefined || searchedText(row).includes(words)),
        );
        return { alerts: matches.sort(byAge).slice(offset, offset + limit), total: matches.length };
      },
      countPending: async (accountId) =>
        alertRows.filter((row) => row.accountId === accountId && row.state === "pending").length,
      async listBreachNames(accountId, address) {
        const own = alertRows.filter((row) => row.accountId === accountId && row.address === address);
        return [...new Set(own.map(({ breachName }) => breachName))];
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
        for (const { id } of alertRows.filter((row) => row.associationId === associationId)) alertRows.delete(id);
        counts.delete(associationId);
      },
      async countOpen(associationId) {
        const version = (counts.get(associationId)?.version ?? 0) + 1;
        counts.set(associationId, { version });
        const open = alertRows.filter((row) => row.associationId === associationId && row.state === "pending").length;
        return { open, version };
      },
      async removeExposures(address) {
        for (const { breachName } of exposures.filter((row) => row.address === address))
          exposures.delete(`${address} ${breachName}`);
      },
    },
  };
}
