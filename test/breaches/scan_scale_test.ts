import { beforeAll, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { postgresBreaches } from "../../src/breaches/adapters/postgres.ts";
import type { Database } from "../../src/database/postgres.ts";
import { emptyServer } from "../support/postgres.ts";
import { readsOf } from "../support/reads.ts";

const [MANY, LIMIT] = [20_000, 50];
const NOW = new Date("2026-11-25T12:00:00Z");

/** Due since a minute ago, each in its lane: never checked, checked under an older catalogue, looked at a week ago. */
describe.each([
  ["unchecked", sql`null::timestamptz, 0`],
  ["outdated", sql`${NOW.toISOString()}::timestamptz - interval '1 day', 0`],
  ["weekly", sql`${NOW.toISOString()}::timestamptz - interval '7 days', 1`],
])("20,000 %s addresses that nobody has analyzed", (source, state) => {
  let database: Awaited<ReturnType<typeof emptyServer>>;

  beforeAll(async () => {
    database = await emptyServer();
    const plain = database.transactionOf((tx: Database) => tx);
    await plain((tx) =>
      tx.execute(sql`insert into breaches.source (source, generation, next_poll_at) values (${source}, 1, now())`),
    );
    await plain((tx) =>
      tx.execute(sql`insert into breaches.scan (address, source, due_at, checked_at, generation)
        select 'person' || n || ${`@${source}.example`}, ${source}, ${NOW.toISOString()}::timestamptz - interval '1 minute', ${state}
        from generate_series(1, ${MANY}::int) n`),
    );
  }, 60_000);

  test("are claimed by the order of an index: no more of them is read than is taken", async () => {
    let claimed: string[] = [];
    const reads = await readsOf(database, {
      table: "scan",
      async work(tx) {
        const { scans } = postgresBreaches(tx, { publish: async () => {} });
        claimed = (await scans.claimDue(source, LIMIT, NOW, 60_000)).map(({ address }) => address);
      },
    });
    expect(new Set(claimed).size).toBe(LIMIT);
    expect(reads.sequential).toBe(0);
    // The row itself, its lock and its lease.
    expect(reads.rows).toBeLessThanOrEqual(4 * LIMIT);
  });
});
