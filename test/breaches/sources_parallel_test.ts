import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { postgresBreaches } from "../../src/breaches/adapters/postgres/store.ts";
import { bundledDirectories, bundledLetterDirectories } from "../../src/breaches/adapters/services/directories.ts";
import { addressHashes } from "../../src/breaches/adapters/sources/dataset/address_hashes.ts";
import { sanitizedDescriptions } from "../../src/breaches/adapters/sources/sanitize_html.ts";
import { createBreaches } from "../../src/breaches/mod.ts";
import { matchAll } from "../../src/breaches/scanning/matching.ts";
import type { Database, PostgresDatabase } from "../../src/database/postgres.ts";
import { intlTranslate } from "../../src/notifications/adapters/translate.ts";
import { hashToken } from "../../src/runtime/crypto.ts";
import { FULL_SCOPE } from "../../src/shared/consent.ts";
import { memoryFeed } from "../memory/breaches/feed.ts";
import { adobe, canva, suno } from "../support/breaches.ts";
import { aBreach } from "../support/builders.ts";
import { testClock } from "../support/clock.ts";
import { emptyPglite, emptyServer } from "../support/postgres.ts";
import { IS_NIGHTLY } from "../support/tier.ts";

const ADDRESSES = Array.from({ length: 40 }, (_, number) => `person${number}@example.org`);
const ACCOUNTS = [1, 2, 3].map((number) => `00000000-0000-4000-8000-00000000000${number}`);

async function crowd(database: PostgresDatabase, { listed = true } = {}) {
  const errors: unknown[] = [];
  const names = { main: ["Adobe", "Canva"], second: ["Adobe", "Shop"] };
  const exposed = (list: string[]) => Object.fromEntries(ADDRESSES.map((address) => [address, list]));
  const feeds = [
    memoryFeed({ source: "main", breaches: [adobe, canva, suno], exposures: exposed(names.main) }),
    memoryFeed({
      source: "second",
      naming: "own",
      breaches: [adobe, aBreach({ name: "Shop" })],
      exposures: exposed(names.second),
    }),
  ];
  const deps = {
    feeds,
    now: testClock().now,
    sleep: async () => {},
    hash: hashToken,
    descriptions: sanitizedDescriptions(),
    directories: bundledDirectories(),
    letterDirectories: bundledLetterDirectories(),
    newId: () => Bun.randomUUIDv7(),
    monitoringAccess: { of: async () => ({ ok: false as const, code: "MONITORING_NOT_AUTHORISED" as const }) },
    people: { nameOf: async () => undefined },
    accounts: { of: async () => undefined },
    translate: intlTranslate(),
    report: (error: unknown) => void errors.push(error),
    transaction: database.transactionOf(postgresBreaches),
  };
  const [one, other] = [createBreaches(deps), createBreaches(deps)];
  const about = { type: "tracking.monitoringStarted" as const, scope: FULL_SCOPE };
  for (const address of ADDRESSES)
    for (const accountId of ACCOUNTS)
      await one.onMonitoringStarted({ ...about, associationId: crypto.randomUUID(), accountId, address });
  if (listed) for (const { source } of feeds) await one.syncCatalogue(source);
  const { transaction } = deps;
  const matchSet = (addresses: string[]) =>
    transaction((store) => {
      const findings = addresses.map((address) => ({ hash: addressHashes(address).sha256, breachName: "Suno" }));
      return matchAll(store, { source: "dataset", findings, at: deps.now() });
    });
  return { one, other, errors, matchSet, transaction: database.transactionOf((tx: Database) => tx) };
}

// The embedded database runs one transaction at a time, so concurrent work has been serialised already.
const databases = { ...(IS_NIGHTLY && { pglite: emptyPglite }), postgres: emptyServer };
const ROUNDS = IS_NIGHTLY ? 6 : 2;

describe.each(Object.entries(databases))("two sources, two processes and concurrent pushes on %s", (name, open) => {
  test("raise each alert once, report each first check once, and block nobody", async () => {
    const { one, other, errors, matchSet, transaction } = await crowd(await open());
    const push = (suffixes: string[], hashPrefix: string) =>
      one.takePush({ breachName: "Suno", hashPrefix, hashSuffixes: suffixes });
    const hashes = ADDRESSES.map((address) => addressHashes(address).sha1);
    const pushes = [...hashes, ...hashes.toReversed()].map((hash) => push([hash.slice(6)], hash.slice(0, 6)));
    const sets = [ADDRESSES, ADDRESSES.toReversed(), ADDRESSES, ADDRESSES.toReversed()].map(matchSet);
    const scans = [one, other].flatMap((process) => [process.scanDue("main"), process.scanDue("second")]);
    for (const answer of await Promise.all(pushes)) expect(answer).toEqual({ ok: true, value: { success: true } });
    await Promise.all(sets);
    const reports = await Promise.all(scans);
    // What a push held while the scans looked for work is left to the next scan.
    for (const source of ["main", "second"]) reports.push(await one.scanDue(source));
    expect(reports.reduce((sum, { checked }) => sum + checked, 0)).toBe(2 * ADDRESSES.length);
    expect(errors).toEqual([]);

    await transaction(async (tx) => {
      const counted = await tx
        .select({
          alerts: sql<number>`(select count(*)::int from breaches.alert)`,
          names: sql<string[]>`(select array_agg(distinct breach_name order by breach_name) from breaches.alert)`,
          sources: sql<string[]>`(select sources from breaches.exposure where breach_name = 'Adobe' limit 1)`,
          reported: sql<number>`(select count(*)::int from breaches.watch where baseline_at is not null)`,
          reports: sql<number>`(select count(*)::int from events.outbox where event->>'type' = 'breaches.baselineReady')`,
        })
        .from(sql`(select 1) as one`);
      expect(counted.map((row) => ({ ...row, sources: row.sources.toSorted() }))).toEqual([
        {
          alerts: ADDRESSES.length * ACCOUNTS.length * 4,
          names: ["Adobe", "Canva", "Suno", "second:Shop"],
          sources: ["main", "second"],
          reported: ADDRESSES.length * ACCOUNTS.length,
          reports: ADDRESSES.length * ACCOUNTS.length,
        },
      ]);
    });
  }, 60_000);

  test("link one breach to the other, whichever catalogue comes first and whatever is being checked meanwhile", async () => {
    for (let round = 0; round < (name === "postgres" ? ROUNDS : 1); round += 1) {
      const { one, other, errors, transaction } = await crowd(await open(), { listed: false });
      const scans = [one, other].flatMap((process) => [process.scanDue("main"), process.scanDue("second")]);
      await Promise.all([one.syncCatalogue("main"), other.syncCatalogue("second"), ...scans]);
      for (const source of ["main", "second"]) await one.scanDue(source);
      const names = await transaction((tx) =>
        tx
          .select({ name: sql<string>`breach_name` })
          .from(sql`(select breach_name from breaches.alert union select breach_name from breaches.exposure) as found`),
      );
      expect(names.map(({ name }) => name).toSorted()).toEqual(["Adobe", "Canva", "second:Shop"]);
      expect(errors).toEqual([]);
    }
  }, 60_000);
});
