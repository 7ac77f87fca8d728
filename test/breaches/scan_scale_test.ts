import { beforeAll, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { postgresBreaches } from "../../src/breaches/adapters/postgres/store.ts";
import type { ClaimedScan, ScanRepository } from "../../src/breaches/ports.ts";
import type { Database } from "../../src/database/postgres.ts";
import { emptyServer } from "../support/postgres.ts";
import { readsOf } from "../support/reads.ts";

const [MANY, LIMIT] = [20_000, 50];
const NOW = new Date("2026-11-25T12:00:00Z");

/**
 * Due for a minute, each in its lane: never checked, checked under an older catalogue, or checked a week ago. The table
 * was never analysed, or its statistics are from before the source existed, so that the planner expects one row.
 */
const LANES = [
  ["unchecked", sql`null::timestamptz, 0`],
  ["outdated", sql`${NOW.toISOString()}::timestamptz - interval '1 day', 0`],
  ["weekly", sql`${NOW.toISOString()}::timestamptz - interval '7 days', 1`],
] as const;
const CASES = [false, true].flatMap((isAnalyzed) =>
  LANES.map(
    ([lane, state]) => [lane, isAnalyzed ? "was analyzed before" : "nobody has analyzed", state, isAnalyzed] as const,
  ),
);

describe.each(CASES)(
  "20,000 %s addresses of a source that is new to a table that %s",
  (source, _, state, isAnalyzed) => {
    let database: Awaited<ReturnType<typeof emptyServer>>;

    beforeAll(async () => {
      database = await emptyServer();
      const plain = database.transactionOf((tx: Database) => tx);
      await plain((tx) =>
        tx.execute(sql`insert into breaches.source (source, generation, next_poll_at) values (${source}, 1, now())`),
      );
      await plain((tx) =>
        tx.execute(sql`insert into breaches.scan (address, source, due_at, checked_at, generation)
        select 'person' || n || '@older.example', 'older', now(), now(), 1 from generate_series(1, ${MANY}::int) n`),
      );
      if (isAnalyzed) await plain((tx) => tx.execute(sql`analyze breaches.scan`));
      await plain((tx) =>
        tx.execute(sql`insert into breaches.scan (address, source, due_at, checked_at, generation)
        select 'person' || n || ${`@${source}.example`}, ${source}, ${NOW.toISOString()}::timestamptz - interval '1 minute', ${state}
        from generate_series(1, ${MANY}::int) n`),
      );
    }, 60_000);

    test("are claimed in the order of an index and updated by key, so that no more rows are read than claimed", async () => {
      let claimed: ClaimedScan[] = [];
      let ended: string[] = [];
      const readsWhile = (work: (scans: ScanRepository) => Promise<void>) =>
        readsOf(database, {
          table: "scan",
          work: (tx) => work(postgresBreaches(tx, { publish: async () => {} }).scans),
        });
      const claiming = await readsWhile(async (scans) => {
        claimed = await scans.claimDue(source, LIMIT, NOW, 60_000);
      });
      const ending = await readsWhile(async (scans) => {
        await scans.lock(claimed.map(({ address }) => address));
        ended = await scans.finish(claimed, NOW, new Date(NOW.getTime() + 60_000));
      });
      expect(new Set(claimed.map(({ address }) => address)).size).toBe(LIMIT);
      expect(ended.toSorted()).toEqual(claimed.map(({ address }) => address).toSorted());
      // The row itself, its lock and its lease.
      for (const reads of [claiming, ending]) {
        expect(reads.sequential).toBe(0);
        expect(reads.rows).toBeLessThanOrEqual(4 * LIMIT);
      }
    });
  },
);
