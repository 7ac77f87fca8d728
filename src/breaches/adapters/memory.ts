import type { MemoryTables } from "../../database/memory.ts";
import { memoryEvents } from "../../events/adapters/memory.ts";
import type { BreachStore, ClaimedScan, SourceState, Watch } from "../ports.ts";
import { type BreachRow, memoryAlerts } from "./memory_alerts.ts";

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

export function memoryBreaches(tables: MemoryTables): BreachStore {
  const breachRows = tables<BreachRow>("breaches.breach");
  const sourceRows = tables<SourceRow>("breaches.source");
  const scanRows = tables<ScanRow>("breaches.scan");
  const watchRows = tables<Watch>("breaches.watch");

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
      async setScope(associationId, { details, sensitive }) {
        const watch = watchRows.get(associationId);
        if (watch) watchRows.set(associationId, { ...watch, details, sensitive });
        return watch !== undefined;
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
    alerts: memoryAlerts(tables),
  };
}
