import { and, asc, count, desc, eq, exists, gte, inArray, isNotNull, isNull, lte, ne, or, sql } from "drizzle-orm";
import { listed } from "../../../database/lists.ts";
import type { Database } from "../../../database/postgres.ts";
import type { EventPublisher } from "../../../events/catalogue.ts";
import { type Breach, NOT_LISTED_YET } from "../../catalogue/breach.ts";
import type { BreachRepository, BreachStore } from "../../ports.ts";
import { postgresAlerts } from "./alerts.ts";
import { postgresChanges } from "./changes.ts";
import { postgresDatasets } from "./datasets.ts";
import { postgresDisclosures } from "./disclosures.ts";
import { postgresDrills } from "./drills.ts";
import { postgresExposures } from "./exposures.ts";
import { postgresLetters } from "./letters.ts";
import { postgresLogos } from "./logos.ts";
import { postgresStale } from "./overdue.ts";
import { postgresScans } from "./scans.ts";
import { postgresSeen } from "./seen.ts";
import { postgresServicePages } from "./service_pages.ts";
import { postgresSources } from "./sources.ts";
import { breachTable } from "./tables.ts";
import { postgresTraces } from "./traces.ts";
import { postgresWatches } from "./watches.ts";

export { postgresRateBudget } from "./budget.ts";
export * from "./tables.ts";
export * from "./tables_datasets.ts";

const CHUNK = 200;

/** With the title that is being replaced, unless it is among them. */
const formerTitles = sql`case
  when ${breachTable.titleLower} = excluded.title_lower
    or ${breachTable.titleLower} = any(string_to_array(${breachTable.formerLower}, ${"\n"}))
  then ${breachTable.formerLower}
  else concat_ws(${"\n"}, nullif(${breachTable.formerLower}, ''), ${breachTable.titleLower}) end`;

export function postgresBreaches(tx: Database, events: EventPublisher): BreachStore {
  return {
    events,
    breaches: breaches(tx),
    sources: postgresSources(tx),
    scans: postgresScans(tx),
    watches: postgresWatches(tx),
    exposures: postgresExposures(tx),
    datasets: postgresDatasets(tx),
    alerts: postgresAlerts(tx),
    seen: postgresSeen(tx),
    changes: postgresChanges(tx),
    logos: postgresLogos(tx),
    drills: postgresDrills(tx, breaches(tx)),
    stale: postgresStale(tx),
    traces: postgresTraces(tx),
    servicePages: postgresServicePages(tx),
    disclosures: postgresDisclosures(tx),
    letters: postgresLetters(tx),
  };
}

type Entry = { breach: Breach; hash: string; awaitedUntil?: Date | undefined };

/** Rows for small statements, as PGlite blocks the thread that serves requests; sorted, as writers wait for each other's rows. */
function chunkedRows(source: string, list: Entry[], now: Date): (typeof breachTable.$inferInsert)[][] {
  const rows = list
    .toSorted((a, b) => (a.breach.name < b.breach.name ? -1 : 1))
    .map(({ breach, hash, awaitedUntil }) => ({
      name: breach.name,
      source,
      titleLower: breach.title.toLowerCase(),
      addedDate: breach.addedDate,
      pwnCount: breach.pwnCount,
      breach,
      hash,
      changedAt: now,
      removedAt: null,
      awaitedUntil: awaitedUntil ?? null,
    }));
  return Array.from({ length: Math.ceil(rows.length / CHUNK) }, (_, index) =>
    rows.slice(index * CHUNK, (index + 1) * CHUNK),
  );
}

function breaches(tx: Database): BreachRepository {
  return {
    async hashes(source) {
      const rows = await tx
        .select({ name: breachTable.name, hash: breachTable.hash })
        .from(breachTable)
        .where(and(eq(breachTable.source, source), isNull(breachTable.removedAt)));
      return new Map(rows.map(({ name, hash }) => [name, hash]));
    },
    async find(name) {
      const [row] = await tx.select({ breach: breachTable.breach }).from(breachTable).where(eq(breachTable.name, name));
      return row?.breach;
    },
    async listByNames(names) {
      if (names.length === 0) return [];
      const isNamed = sql`${breachTable.name} = any(${listed(names)})`;
      const rows = await tx.select({ breach: breachTable.breach }).from(breachTable).where(isNamed);
      return rows.map(({ breach }) => breach);
    },
    async listSensitive() {
      const rows = await tx
        .select({ name: breachTable.name })
        .from(breachTable)
        .where(eq(breachTable.sensitive, true))
        .orderBy(asc(breachTable.name));
      return rows.map(({ name }) => name);
    },
    async listAddedSince(sources, since, limit) {
      const { source, addedDate, name, removedAt } = breachTable;
      const rows = await tx
        .select({ breach: breachTable.breach })
        .from(breachTable)
        .where(and(inArray(source, sources), isNull(removedAt), gte(addedDate, since)))
        .orderBy(desc(addedDate), asc(name))
        .limit(limit);
      return rows.map(({ breach }) => breach);
    },
    async put(source, list, now) {
      for (const rows of chunkedRows(source, list, now)) {
        await tx
          .insert(breachTable)
          .values(rows)
          .onConflictDoUpdate({
            target: breachTable.name,
            set: {
              source: sql`excluded.source`,
              titleLower: sql`excluded.title_lower`,
              formerLower: formerTitles,
              addedDate: sql`excluded.added_date`,
              pwnCount: sql`excluded.pwn_count`,
              breach: sql`excluded.breach`,
              hash: sql`excluded.hash`,
              changedAt: sql`excluded.changed_at`,
              removedAt: null,
            },
          });
      }
    },
    async addUnlisted(source, list, now) {
      const unlisted = list.map((entry) => ({ ...entry, hash: NOT_LISTED_YET }));
      for (const rows of chunkedRows(source, unlisted, now))
        await tx.insert(breachTable).values(rows).onConflictDoNothing();
    },
    async listLabels(labels) {
      if (labels.length === 0) return [];
      const label = sql<string>`asked.label`;
      const asked = sql`jsonb_array_elements_text(${JSON.stringify(labels)}::jsonb) as asked(label)`;
      const entry = and(ne(breachTable.hash, NOT_LISTED_YET), sql`${breachTable.breach}->'dataClasses' ? ${label}`);
      const rows = await tx
        .select({ label })
        .from(asked)
        .where(exists(tx.select({ name: breachTable.name }).from(breachTable).where(entry)));
      return rows.map((row) => row.label);
    },
    async markRemoved(source, names, now) {
      if (names.length === 0) return;
      await tx
        .update(breachTable)
        .set({ removedAt: now })
        .where(and(eq(breachTable.source, source), inArray(breachTable.name, names)));
    },
    async listAwaited(names) {
      if (names.length === 0) return [];
      const { name, awaitedUntil } = breachTable;
      const rows = await tx
        .select({ name })
        .from(breachTable)
        .where(and(inArray(name, names), isNotNull(awaitedUntil)))
        .orderBy(asc(name))
        .for("share");
      return rows.map((row) => row.name);
    },
    async claimAwaited(now) {
      const { name, hash, awaitedUntil } = breachTable;
      const isOver = or(lte(awaitedUntil, now), ne(hash, NOT_LISTED_YET));
      const [row] = await tx
        .select({ name, hash })
        .from(breachTable)
        .where(and(isNotNull(awaitedUntil), isOver))
        .orderBy(asc(name))
        .limit(1)
        .for("update");
      return row && { name: row.name, isKnown: row.hash !== NOT_LISTED_YET };
    },
    async endWait(name) {
      await tx.update(breachTable).set({ awaitedUntil: null }).where(eq(breachTable.name, name));
    },
    async count() {
      const [row] = await tx.select({ count: count() }).from(breachTable).where(isNull(breachTable.sameAs));
      return row?.count ?? 0;
    },
    async listAlike() {
      const rows = await tx
        .select({
          name: breachTable.name,
          title: sql<string>`${breachTable.breach}->>'title'`,
          domain: sql<string>`${breachTable.breach}->>'domain'`,
          breachDate: sql<string | null>`${breachTable.breach}->>'breachDate'`,
          flags: sql<Breach["flags"]>`${breachTable.breach}->'flags'`,
          sameAs: breachTable.sameAs,
        })
        .from(breachTable)
        .where(and(isNull(breachTable.removedAt), isNull(breachTable.awaitedUntil)));
      return rows.map(({ sameAs, ...row }) => ({ ...row, sameAs: sameAs ?? undefined }));
    },
    async link(name, sameAs) {
      // Entries that were linked to it are relinked: links have one step only.
      const concerned = or(eq(breachTable.name, name), eq(breachTable.sameAs, name));
      await tx.update(breachTable).set({ sameAs }).where(concerned);
    },
    async lockLinksExclusively() {
      await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('breaches:links', 0))`);
    },
    async lockLinksShared() {
      await tx.execute(sql`select pg_advisory_xact_lock_shared(hashtextextended('breaches:links', 0))`);
    },
    async canonical(names) {
      if (names.length === 0) return new Map();
      const rows = await tx
        .select({ name: breachTable.name, sameAs: breachTable.sameAs })
        .from(breachTable)
        .where(inArray(breachTable.name, names));
      const links = new Map(rows.map(({ name, sameAs }) => [name, sameAs ?? name]));
      return new Map(names.map((name) => [name, links.get(name) ?? name]));
    },
  };
}
