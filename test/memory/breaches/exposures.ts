import { addressHashes } from "../../../src/breaches/adapters/sources/dataset/address_hashes.ts";
import { hashesOf } from "../../../src/breaches/datasets/hash_blocks.ts";
import type {
  Alert,
  DatasetRepository,
  ExposureRepository,
  ImportProgress,
  Watch,
} from "../../../src/breaches/ports.ts";
import type { MemoryTables } from "../database.ts";
import { type BreachRow, type ExposureRow, keyOf } from "./rows.ts";

const union = (...lists: string[][]) => [...new Set(lists.flat())];

export function memoryExposures(tables: MemoryTables): ExposureRepository {
  const exposures = tables<ExposureRow>("breaches.exposure");
  const watchRows = tables<Watch>("breaches.watch");
  const breachRows = tables<BreachRow>("breaches.breach");
  const alertRows = tables<Alert>("breaches.alert");

  /** An association with two alerts keeps that of the primary breach; otherwise the older one. */
  function moveAlert(alert: Alert, sameAs: string): void {
    const kept = alertRows.find((row) => row.associationId === alert.associationId && row.breachName === sameAs);
    if (kept) {
      const under = ({ address, variants }: Alert) => (variants.length === 0 ? [address] : variants);
      const isUnderAliases = kept.variants.length + alert.variants.length > 0;
      if (isUnderAliases) alertRows.set(kept.id, { ...kept, variants: union(under(kept), under(alert)).toSorted() });
      alertRows.delete(alert.id);
    } else alertRows.set(alert.id, { ...alert, breachName: sameAs, version: alert.version + 1 });
  }

  return {
    async match(source, findings, now) {
      const concerned: string[] = [];
      for (const address of new Set(watchRows.filter().map((watch) => watch.address))) {
        const { sha1, sha256 } = addressHashes(address);
        for (const { hash, breachName } of findings) {
          const known = exposures.get(keyOf(address, breachName));
          if ((hash !== sha1 && hash !== sha256) || known?.sources.includes(source)) continue;
          const sources = union(known?.sources ?? [], [source]);
          exposures.set(keyOf(address, breachName), { foundAt: now, ...known, address, breachName, sources });
          concerned.push(address);
        }
      }
      return union(concerned).toSorted();
    },
    async removeUnwatched(addresses) {
      const isWatched = (address: string) => watchRows.find((watch) => watch.address === address) !== undefined;
      exposures.removeWhere(({ address }) => addresses.includes(address) && !isWatched(address));
    },
    async mergeLinked() {
      const links = new Map(breachRows.filter().map(({ breach, sameAs }) => [breach.name, sameAs]));
      for (const row of exposures.filter()) {
        const sameAs = links.get(row.breachName);
        if (sameAs === undefined) continue;
        const known = exposures.get(keyOf(row.address, sameAs));
        const foundAt = known && known.foundAt < row.foundAt ? known.foundAt : row.foundAt;
        const sources = union(known?.sources ?? [], row.sources);
        exposures.delete(keyOf(row.address, row.breachName));
        exposures.set(keyOf(row.address, sameAs), { address: row.address, breachName: sameAs, foundAt, sources });
      }
      const moved = alertRows.filter((row) => links.get(row.breachName) !== undefined);
      for (const alert of moved) moveAlert(alert, links.get(alert.breachName) ?? alert.breachName);
      return union(moved.map(({ associationId }) => associationId)).toSorted();
    },
  };
}

type ImportRow = { progress: ImportProgress; leaseToken: string; leaseUntil: Date };
const UNREAD: ImportProgress = {
  state: "running",
  lines: 0,
  added: 0,
  raised: 0,
  bad: 0,
  problems: [],
  reason: undefined,
};

export function memoryDatasets(tables: MemoryTables): DatasetRepository {
  const rows = tables<{ hash: string; breachName: string }>("breaches.dataset");
  const imports = tables<ImportRow>("breaches.import");
  const breachRows = tables<BreachRow>("breaches.breach");
  return {
    async add(blocks) {
      const findings = blocks.flatMap((block) =>
        hashesOf(block).map((hash) => ({ hash, breachName: block.breachName })),
      );
      const fresh = findings.filter(({ hash, breachName }) => !rows.get(`${hash} ${breachName}`));
      for (const row of fresh) rows.set(`${row.hash} ${row.breachName}`, row);
      return fresh.length;
    },
    hasGrownSince: async (time) => imports.filter(({ leaseUntil }) => leaseUntil > time).length > 0,
    async breachesOf(hashes) {
      return union(rows.filter(({ hash }) => hashes.includes(hash)).map(({ breachName }) => breachName));
    },
    listBreaches: async () => breachRows.filter(({ source }) => source === "dataset").map(({ breach }) => breach),
    async claim(id, now, leaseMs) {
      const row = imports.get(id);
      if (row && row.leaseUntil >= now) return undefined;
      const leaseToken = crypto.randomUUID();
      const progress = row?.progress ?? UNREAD;
      imports.set(id, { progress, leaseToken, leaseUntil: new Date(now.getTime() + leaseMs) });
      return { leaseToken, progress };
    },
    async advance(id, leaseToken, reached, leaseUntil) {
      const row = imports.get(id);
      if (row?.leaseToken !== leaseToken) return false;
      const { added, raised } = row.progress;
      imports.set(id, { progress: { ...reached, added, raised }, leaseToken, leaseUntil });
      return true;
    },
    async count(id, leaseToken, { added, raised }, leaseUntil) {
      const row = imports.get(id);
      if (row?.leaseToken !== leaseToken) return false;
      const { progress } = row;
      const counted = { ...progress, added: progress.added + added, raised: progress.raised + raised };
      imports.set(id, { progress: counted, leaseToken, leaseUntil });
      return true;
    },
  };
}
