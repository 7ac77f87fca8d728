import {
  type CheckTimes,
  type ClaimedScan,
  MOST_COUNTED,
  type ScanRepository,
  type Watch,
} from "../../../src/breaches/ports.ts";
import type { MemoryTables } from "../database.ts";

export type ScanRow = {
  address: string;
  source: string;
  dueAt: Date;
  checkedAt: Date | undefined;
  generation: number;
  request: number;
  failures: number;
  retryAt: Date | undefined;
  leaseToken: string | undefined;
  leaseUntil: Date | undefined;
  unsupported: boolean;
};

const keyOf = ({ address, source }: { address: string; source: string }) => `${source} ${address}`;
const byTime = (a: Date, b: Date) => a.getTime() - b.getTime();

function newScan(address: string, source: string): ScanRow {
  return {
    address,
    source,
    dueAt: new Date(0),
    checkedAt: undefined,
    generation: 0,
    request: 0,
    failures: 0,
    retryAt: undefined,
    leaseToken: undefined,
    leaseUntil: undefined,
    unsupported: false,
  };
}

export function memoryScans(tables: MemoryTables): ScanRepository {
  const scanRows = tables<ScanRow>("breaches.scan");
  const watchRows = tables<Watch>("breaches.watch");
  const sourceRows = tables<{ source: string; generation: number; lookUpTrouble: string | undefined }>(
    "breaches.source",
  );
  const generationOf = (source: string) => sourceRows.get(source)?.generation ?? 0;
  const isDue = (row: ScanRow, generation: number, now: Date) =>
    (row.dueAt <= now || row.generation < generation) &&
    (row.retryAt === undefined || row.retryAt <= now) &&
    (row.leaseUntil === undefined || row.leaseUntil < now);
  const released = (row: ScanRow): ScanRow => ({ ...row, leaseToken: undefined, leaseUntil: undefined });
  const ifHeld = (scan: ClaimedScan, change: (row: ScanRow) => ScanRow) => {
    const row = scanRows.get(keyOf(scan));
    if (row?.leaseToken !== scan.leaseToken) return false;
    scanRows.set(keyOf(scan), released(change(row)));
    return true;
  };
  const end = (scans: ClaimedScan[], nextAt: Date, found: Pick<ScanRow, "unsupported"> & { checkedAt?: Date }) => {
    const ended = scans.filter((scan) =>
      ifHeld(scan, (row) => ({
        ...row,
        ...found,
        generation: scan.generation,
        failures: 0,
        retryAt: undefined,
        dueAt: row.request === scan.request ? nextAt : row.dueAt,
      })),
    );
    return ended.map(({ address }) => address);
  };
  const supported = (addresses: string[], sources: string[]) =>
    scanRows.filter((row) => addresses.includes(row.address) && sources.includes(row.source) && !row.unsupported);

  return {
    async add(address, sources, now) {
      for (const source of sources) {
        const row = scanRows.get(keyOf({ address, source })) ?? newScan(address, source);
        scanRows.set(keyOf(row), { ...row, dueAt: now, request: row.request + 1, retryAt: undefined });
      }
    },
    async enrol(source, after, limit, now) {
      const active = watchRows.filter(
        ({ address, suspended }) => !suspended && (after === undefined || address > after),
      );
      const next = [...new Set(active.map(({ address }) => address))].sort().slice(0, limit);
      for (const address of next)
        if (!scanRows.get(keyOf({ address, source })))
          scanRows.set(keyOf({ address, source }), { ...newScan(address, source), dueAt: now, request: 1 });
      return next.at(-1);
    },
    // Transactions are serialised.
    lock: async () => {},
    async remove(addresses) {
      scanRows.removeWhere((row) => addresses.includes(row.address));
    },
    async claimDue(source, limit, now, leaseMs) {
      const generation = generationOf(source);
      const due = scanRows.filter((row) => row.source === source && isDue(row, generation, now));
      // Never checked, checked under an older catalogue, due by time.
      const lane = (row: ScanRow) =>
        row.checkedAt === undefined && !row.unsupported ? 0 : row.generation < generation ? 1 : 2;
      const within = (a: ScanRow, b: ScanRow) =>
        lane(a) === 1
          ? a.generation - b.generation || (a.checkedAt?.getTime() ?? 0) - (b.checkedAt?.getTime() ?? 0)
          : byTime(a.dueAt, b.dueAt);
      due.sort((a, b) => lane(a) - lane(b) || within(a, b) || (a.address < b.address ? -1 : 1));
      return due.slice(0, limit).map((row) => {
        const leaseToken = crypto.randomUUID();
        scanRows.set(keyOf(row), { ...row, leaseToken, leaseUntil: new Date(now.getTime() + leaseMs) });
        return { address: row.address, source, generation, request: row.request, failures: row.failures, leaseToken };
      });
    },
    finish: async (scans, checkedAt, nextAt) => end(scans, nextAt, { checkedAt, unsupported: false }),
    finishUnsupported: async (scans, nextAt) => end(scans, nextAt, { unsupported: true }),
    async release(scans, retryAt, failed) {
      for (const scan of scans) ifHeld(scan, (row) => ({ ...row, retryAt, failures: row.failures + (failed ? 1 : 0) }));
    },
    async timesOf(addresses, sources) {
      const times = new Map<string, CheckTimes>();
      const able = sources.filter((source) => sourceRows.get(source)?.lookUpTrouble === undefined);
      for (const address of addresses) {
        const rows = supported([address], able.length > 0 ? able : sources);
        const [dueAt] = rows.map((row) => row.dueAt).sort(byTime);
        const checks = rows.flatMap((row) => row.checkedAt ?? []).sort(byTime);
        if (dueAt) times.set(address, { checkedAt: checks.length === rows.length ? checks[0] : undefined, dueAt });
      }
      return times;
    },
    async awaited(addresses, sources, now) {
      const rows = supported(addresses, sources).filter((row) => row.checkedAt === undefined || row.dueAt <= now);
      return [...new Set(rows.map(({ address }) => address))];
    },
    async backlog(source, now) {
      const generation = generationOf(source);
      const due = scanRows.filter((row) => row.source === source && (row.dueAt <= now || row.generation < generation));
      const retrying = due.filter(({ retryAt }) => retryAt !== undefined && retryAt > now);
      const [oldest] = due.map((row) => row.dueAt).sort((a, b) => a.getTime() - b.getTime());
      return { due: Math.min(due.length, MOST_COUNTED), retrying: Math.min(retrying.length, MOST_COUNTED), oldest };
    },
  };
}
