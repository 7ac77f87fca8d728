import { addressHashes } from "../../../src/breaches/adapters/sources/dataset/address_hashes.ts";
import { NOT_LISTED_YET } from "../../../src/breaches/catalogue/breach.ts";
import type { BreachStore, Watch } from "../../../src/breaches/ports.ts";
import { PREFIX } from "../../../src/breaches/scanning/watched_hashes.ts";
import type { MemoryTables } from "../database.ts";
import { memoryEvents } from "../events/outbox.ts";
import { memoryAlerts } from "./alerts.ts";
import { memoryChanges } from "./changes.ts";
import { memoryDisclosures } from "./disclosures.ts";
import { memoryDrills } from "./drills.ts";
import { memoryDatasets, memoryExposures } from "./exposures.ts";
import { memoryLetters } from "./letters.ts";
import { memoryLogos } from "./logos.ts";
import { memoryStale } from "./overdue.ts";
import type { BreachRow } from "./rows.ts";
import { memoryScans, type ScanRow } from "./scans.ts";
import { memorySeen } from "./seen.ts";
import { memoryServicePages } from "./service_pages.ts";
import { memorySources } from "./sources.ts";
import { memoryTraces } from "./traces.ts";

export function memoryBreaches(tables: MemoryTables): BreachStore {
  const breachRows = tables<BreachRow>("breaches.breach");
  const watchRows = tables<Watch>("breaches.watch");
  const lastCheckRows = tables<{ associationId: string; checkedAt: Date }>("breaches.watch.last_checked_at");
  const scanRows = tables<ScanRow>("breaches.scan");

  return {
    events: memoryEvents(tables),
    breaches: {
      async hashes(source) {
        const rows = breachRows.filter((row) => row.source === source && row.removedAt === undefined);
        return new Map(rows.map((row) => [row.breach.name, row.hash]));
      },
      find: async (name) => breachRows.get(name)?.breach,
      listByNames: async (names) => names.flatMap((name) => breachRows.get(name)?.breach ?? []),
      listSensitive: async () =>
        breachRows
          .filter(({ breach }) => breach.flags.includes("sensitive"))
          .map(({ breach }) => breach.name)
          .toSorted(),
      listAddedSince: async (sources, since, limit) =>
        breachRows
          .filter(({ source }) => sources.includes(source))
          .filter(({ breach, removedAt }) => removedAt === undefined && breach.addedDate >= since)
          .map(({ breach }) => breach)
          .toSorted((a, b) => (a.addedDate < b.addedDate ? 1 : a.addedDate > b.addedDate || a.name < b.name ? -1 : 1))
          .slice(0, limit),
      async put(source, list) {
        for (const { breach, hash } of list) {
          const row = breachRows.get(breach.name);
          const before = row?.breach.title.toLowerCase() ?? "";
          const isRenamed = row !== undefined && before !== breach.title.toLowerCase();
          const former = [...new Set([...(row?.former ?? []), ...(isRenamed ? [before] : [])])];
          breachRows.set(breach.name, {
            source,
            breach,
            hash,
            removedAt: undefined,
            sameAs: row?.sameAs,
            former,
            awaitedUntil: row?.awaitedUntil,
          });
        }
      },
      async addUnlisted(source, list) {
        const unlisted = { source, hash: NOT_LISTED_YET, removedAt: undefined, sameAs: undefined, former: [] };
        for (const { breach, awaitedUntil } of list)
          if (!breachRows.get(breach.name)) breachRows.set(breach.name, { ...unlisted, breach, awaitedUntil });
      },
      listAwaited: async (names) => names.filter((name) => breachRows.get(name)?.awaitedUntil !== undefined),
      async claimAwaited(now) {
        const isOver = ({ awaitedUntil, hash }: BreachRow) =>
          awaitedUntil !== undefined && (awaitedUntil <= now || hash !== NOT_LISTED_YET);
        const row = breachRows.find(isOver);
        return row && { name: row.breach.name, isKnown: row.hash !== NOT_LISTED_YET };
      },
      async endWait(name) {
        const row = breachRows.get(name);
        if (row) breachRows.set(name, { ...row, awaitedUntil: undefined });
      },
      async listLabels(labels) {
        const listed = breachRows.filter(({ hash }) => hash !== NOT_LISTED_YET);
        const had = new Set(listed.flatMap(({ breach }) => breach.dataClasses));
        return labels.filter((label) => had.has(label));
      },
      async markRemoved(source, names, now) {
        for (const row of breachRows.filter((row) => row.source === source && names.includes(row.breach.name))) {
          breachRows.set(row.breach.name, { ...row, removedAt: now });
        }
      },
      count: async () => breachRows.filter((row) => row.sameAs === undefined).length,
      async listAlike() {
        const rows = breachRows.filter((row) => row.removedAt === undefined && row.awaitedUntil === undefined);
        return rows.map(({ breach: { name, title, domain, breachDate, flags }, sameAs }) => ({
          name,
          title,
          domain,
          breachDate,
          flags,
          sameAs,
        }));
      },
      async link(name, sameAs) {
        for (const row of breachRows.filter((one) => one.breach.name === name || one.sameAs === name))
          breachRows.set(row.breach.name, { ...row, sameAs });
      },
      lockLinksExclusively: async () => {},
      lockLinksShared: async () => {},
      canonical: async (names) => new Map(names.map((name) => [name, breachRows.get(name)?.sameAs ?? name])),
    },
    sources: memorySources(tables),
    scans: memoryScans(tables),
    watches: {
      async add(watch) {
        watchRows.set(
          watch.associationId,
          watchRows.get(watch.associationId) ?? {
            ...watch,
            baselineAt: undefined,
            suspended: false,
            aliasOf: undefined,
          },
        );
      },
      async addAlias({ id, associationId, address }) {
        const main = watchRows.get(associationId);
        if (!main || main.aliasOf !== undefined) return undefined;
        const alias = { ...main, associationId: id, aliasOf: associationId, address, baselineAt: undefined };
        if (!watchRows.get(id)) watchRows.set(id, alias);
        return alias;
      },
      listAliases: async (associationId) =>
        watchRows
          .filter(({ aliasOf }) => aliasOf === associationId)
          .toSorted((a, b) => (a.address < b.address ? -1 : 1)),
      listOrphans: async (limit) =>
        watchRows.filter(({ aliasOf }) => aliasOf !== undefined && !watchRows.get(aliasOf)).slice(0, limit),
      async endFirstChecks(associationIds, sources, now) {
        const ended = new Map<string, string[]>();
        const isAwaited = ({ address }: Watch) =>
          scanRows.find(
            (row) =>
              row.address === address &&
              sources.includes(row.source) &&
              !row.unsupported &&
              (row.checkedAt === undefined || row.dueAt <= now),
          ) !== undefined;
        for (const id of new Set(associationIds)) {
          const waiting = watchRows.filter((row) => row.aliasOf === id && !row.baselineAt && !row.suspended);
          if (waiting.length === 0 || waiting.some(isAwaited)) continue;
          for (const watch of waiting) watchRows.set(watch.associationId, { ...watch, baselineAt: now });
          ended.set(id, waiting.map(({ address }) => address).toSorted());
        }
        return ended;
      },
      async setScope(associationId, { details, sensitive }) {
        const watch = watchRows.get(associationId);
        if (watch) watchRows.set(associationId, { ...watch, details, sensitive });
        return watch !== undefined;
      },
      async remove(associationId) {
        watchRows.removeWhere((row) => row.associationId === associationId || row.aliasOf === associationId);
        lastCheckRows.delete(associationId);
      },
      // In-memory transactions are serialised anyway.
      lockRemovals: async () => {},
      async setSuspended(associationId, suspended) {
        const watch = watchRows.get(associationId);
        for (const row of watchRows.filter(
          (one) => one.associationId === associationId || one.aliasOf === associationId,
        ))
          watchRows.set(row.associationId, { ...row, suspended });
        return watch !== undefined;
      },
      async keepLastCheck(associationId, checkedAt) {
        if (watchRows.get(associationId)) lastCheckRows.set(associationId, { associationId, checkedAt });
      },
      async lastChecks(addresses) {
        const latest = new Map<string, Date>();
        for (const { address, associationId } of watchRows.filter((watch) => addresses.includes(watch.address))) {
          const at = lastCheckRows.get(associationId)?.checkedAt;
          if (at && at > (latest.get(address) ?? new Date(0))) latest.set(address, at);
        }
        return latest;
      },
      async listActive(addresses) {
        const active = watchRows.filter((watch) => addresses.includes(watch.address) && !watch.suspended);
        return active.toSorted((a, b) => (a.associationId < b.associationId ? -1 : 1));
      },
      countAll: async (address) => watchRows.filter((watch) => watch.address === address).length,
      listByAccount: async (accountId) => watchRows.filter((watch) => watch.accountId === accountId),
      find: async (associationId) => watchRows.get(associationId),
      async listUnreported(sources, now, limit) {
        const waiting = watchRows.filter(({ baselineAt, suspended }) => baselineAt === undefined && !suspended);
        const isAwaited = (one: string) =>
          scanRows.filter(
            (row) =>
              row.address === one &&
              sources.includes(row.source) &&
              !row.unsupported &&
              (row.checkedAt === undefined || row.dueAt <= now),
          ).length > 0;
        const due = waiting.filter(({ address, aliasOf }) => {
          if (aliasOf && waiting.some((other) => other.aliasOf === aliasOf && isAwaited(other.address))) return false;
          const rows = scanRows.filter(
            (row) => row.address === address && sources.includes(row.source) && !row.unsupported,
          );
          return rows.length > 0 && rows.every((row) => row.checkedAt !== undefined && row.dueAt > now);
        });
        return [...new Set(due.map(({ address }) => address))].toSorted().slice(0, limit);
      },
      async listHashes(kind, after, limit) {
        const hashes = watchRows.filter().map(({ address }) => addressHashes(address)[kind]);
        const page = [...new Set(hashes)]
          .toSorted()
          .filter((hash) => hash > after)
          .slice(0, limit);
        return { prefixes: page.map((hash) => hash.slice(0, PREFIX)).join(""), last: page.at(-1) };
      },
      // Hashed when they are matched.
      hashMissing: async () => 0,
      async markBaselines(associationIds, now) {
        const unmarked = associationIds.flatMap((id) => watchRows.get(id) ?? []).filter((watch) => !watch.baselineAt);
        for (const watch of unmarked) watchRows.set(watch.associationId, { ...watch, baselineAt: now });
        return unmarked.map(({ associationId }) => associationId);
      },
    },
    alerts: memoryAlerts(tables),
    seen: memorySeen(tables),
    logos: memoryLogos(tables),
    drills: memoryDrills(tables),
    stale: memoryStale(tables),
    traces: memoryTraces(tables),
    servicePages: memoryServicePages(tables),
    disclosures: memoryDisclosures(tables),
    letters: memoryLetters(tables),
    changes: memoryChanges(tables),
    exposures: memoryExposures(tables),
    datasets: memoryDatasets(tables),
  };
}
