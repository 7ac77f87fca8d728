import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { openCrowd } from "../bench/crowd.ts";
import { removeDirectory, temporaryDirectory } from "../e2e/product.ts";
import { fillTables } from "../support/fill_tables.ts";
import { createDatabase, sharedPostgresUrl } from "../support/postgres_server.ts";
import { type TableReads, tableReadsWhile } from "../support/table_reads.ts";
import { IS_NIGHTLY } from "../support/tier.ts";

/** Row counts of tables that grow with the number of monitored addresses, and of the others. */
const [MANY, SOME] = IS_NIGHTLY ? [200_000, 5000] : [20_000, 5000];
/** The server replans a prepared statement five times, and may then use a generic plan. */
const TICKS = 7;
/** Per table, by all jobs of a tick. */
const ROWS = 50;

let url = "";
const place = temporaryDirectory();

function readsWhile(work: (crowd: Awaited<ReturnType<typeof openCrowd>>) => Promise<unknown>): Promise<TableReads> {
  return tableReadsWhile(url, async () => {
    const crowd = await openCrowd(url, 0, { BREACH_SOURCE: "bundled,dataset", BILLING: "sandbox" }, place);
    await work(crowd);
    await crowd.close({ keep: true });
  });
}

describe("An idle process with very many monitored addresses", () => {
  let filled = new Map<string, number>();

  beforeAll(async () => {
    url = await createDatabase(await sharedPostgresUrl());
    await readsWhile(async ({ product }) => {
      for (const job of product.jobs) await job.run();
    });
    filled = await fillTables(url, { many: MANY, some: SOME });
  }, 300_000);

  afterAll(() => removeDirectory(place));

  test("fills every table that grows", () => {
    expect([...filled.values()].filter((rows) => rows === MANY)).toHaveLength(9);
    expect(filled.size).toBeGreaterThan(40);
  });

  test("scans no table, whichever of its jobs runs, and reads few rows by index", async () => {
    const ran = new Set<string>();
    const ticks = (count: number) =>
      readsWhile(async ({ product }) => {
        for (let tick = 0; tick < count; tick++)
          for (const job of product.jobs) {
            await job.run();
            ran.add(job.name);
          }
      });
    // Work done once at start-up is included in both.
    const [start, all] = [await ticks(1), await ticks(1 + TICKS)];
    expect(ran.size).toBeGreaterThan(25);
    const idle = [...all].flatMap(([name, { scans, rows }]) => {
      const before = start.get(name) ?? { scans: 0, rows: 0 };
      return filled.has(name) ? [{ name, whole: scans - before.scans, rows: rows - before.rows }] : [];
    });
    const whole = idle.filter(({ whole }) => whole > 0);
    const busy = idle.filter(({ rows }) => rows > ROWS * TICKS);
    expect({ whole, busy }).toEqual({ whole: [], busy: [] });
  }, 120_000);

  test("is detected if it scans one", async () => {
    const reads = await readsWhile(({ ask }) => ask(sql`select count(details) from breaches.watch`));
    expect(reads.get("breaches.watch")?.scans).toBeGreaterThan(0);
    expect(reads.get("breaches.watch")?.rows).toBe(MANY);
  });
});
