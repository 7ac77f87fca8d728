import { describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { postgresBreaches } from "../../src/breaches/adapters/postgres/store.ts";
import { watchTable } from "../../src/breaches/adapters/postgres/tables.ts";
import type { BreachStore, Watch } from "../../src/breaches/ports.ts";
import { watching } from "../../src/breaches/scanning/watching.ts";
import type { Database } from "../../src/database/postgres.ts";
import { FULL_SCOPE } from "../../src/shared/consent.ts";
import type { Transaction } from "../../src/shared/transaction.ts";
import { memoryBreaches } from "../memory/breaches/store.ts";
import { type MemoryTables, memoryDatabase } from "../memory/database.ts";
import { breachWorld } from "../support/breaches.ts";
import { ALICE, BOB } from "../support/builders.ts";
import { emptyServer } from "../support/postgres.ts";

/** A store, and how the previous release ends an association: without its aliases. */
type Opened = { transaction: Transaction<BreachStore>; endMain: (id: string) => Promise<void> };

const STORES: [string, () => Promise<Opened>][] = [
  [
    "memory",
    async () => {
      const database = memoryDatabase();
      const rows = database.transactionOf((tables: MemoryTables) => tables<Watch>("breaches.watch"));
      return {
        transaction: database.transactionOf(memoryBreaches),
        endMain: (id) => rows(async (watches) => void watches.delete(id)),
      };
    },
  ],
  [
    "postgres",
    async () => {
      const database = await emptyServer();
      const plain = database.transactionOf((tx: Database) => tx);
      return {
        transaction: database.transactionOf(postgresBreaches),
        endMain: (id) =>
          plain(async (tx) => void (await tx.delete(watchTable).where(eq(watchTable.associationId, id)))),
      };
    },
  ],
];

describe.each(STORES)("aliases that outlived their association on %s", (_, open) => {
  test("are ended by the hourly job, with what is stored about them, and no others", async () => {
    const { transaction, endMain } = await open();
    const at = new Date("2026-11-01T00:00:00Z");
    const [ended, kept] = [crypto.randomUUID(), crypto.randomUUID()];
    const aliases = Array.from({ length: 101 }, (_, n) => ({ id: crypto.randomUUID(), address: `a${n}@example.com` }));
    await transaction(async ({ watches, scans, alerts }) => {
      await watches.add({ associationId: ended, ...ALICE, ...FULL_SCOPE });
      for (const alias of aliases) {
        await watches.addAlias({ ...alias, associationId: ended });
        await scans.add(alias.address, ["hibp"], at);
      }
      await watches.add({ associationId: kept, ...BOB, ...FULL_SCOPE });
      await watches.addAlias({ id: crypto.randomUUID(), address: "b@example.com", associationId: kept });
      await alerts.addMissing([{ address: "a0@example.com", breachNames: ["Adobe"] }], at, "hibp");
    });
    await endMain(ended);
    expect(await transaction(({ watches }) => watches.listOrphans(2))).toHaveLength(2);
    const { endOrphanedAliases } = watching({ ...breachWorld().deps, transaction });
    expect(await endOrphanedAliases()).toBe(101);
    expect(await endOrphanedAliases()).toBe(0);
    const left = await transaction(async ({ watches, scans, alerts }) => [
      ...(await watches.listAliases(ended)),
      ...(await scans.timesOf(["a0@example.com"], ["hibp"])),
      ...(await alerts.listExposures("a0@example.com", 9)),
      ...(await alerts.listBreachNames(ALICE.accountId, ALICE.address)),
    ]);
    expect(left).toEqual([]);
    expect(await transaction(({ watches }) => watches.listAliases(kept))).toHaveLength(1);
  });
});
