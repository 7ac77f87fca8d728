import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { rowsOf } from "../../src/database/logical_dump.ts";
import type { Database } from "../../src/database/postgres.ts";
import { attemptsTable } from "../../src/identity/adapters/postgres/store.ts";
import { emptyPglite, emptyServer } from "../support/postgres.ts";

const UNTIL = new Date("2026-11-20T12:00:00Z");
const put = (tx: Database, key: string) => tx.insert(attemptsTable).values({ key, tries: 1, until: UNTIL }).execute();
/** Names the transaction; each statement outside of one is a transaction of its own. */
async function transactionIn(tx: Database): Promise<string | undefined> {
  const [row] = await rowsOf<{ name: string }>(
    tx,
    sql`select virtualtransaction as name from pg_locks where locktype = 'virtualxid' and pid = pg_backend_pid()`,
  );
  return row?.name;
}
const keysIn = async (tx: Database) => (await tx.select().from(attemptsTable).execute()).map(({ key }) => key).sort();

describe.each([
  ["pglite", emptyPglite],
  ["a server", emptyServer],
])("a transaction on %s", (_, empty) => {
  test("runs its statements in the order of the calls, whatever waits for it to begin", async () => {
    const transaction = (await empty()).transactionOf((tx: Database) => tx);
    const seen = await transaction(async (tx) => {
      const [, afterOne, , afterTwo] = await Promise.all([put(tx, "one"), keysIn(tx), put(tx, "two"), keysIn(tx)]);
      return [afterOne, afterTwo];
    });
    expect(seen).toEqual([["one"], ["one", "two"]]);
  });

  test("is atomic, and begins with the first statement that does more than read", async () => {
    const transaction = (await empty()).transactionOf((tx: Database) => tx);
    const failing = transaction(async (tx) => {
      await keysIn(tx);
      await put(tx, "lost");
      throw new Error("Cannot go on");
    });
    await expect(failing).rejects.toThrow("Cannot go on");
    const seen = await transaction(async (tx) => {
      const before = await keysIn(tx);
      const read = [await transactionIn(tx), await transactionIn(tx)];
      await Promise.all([put(tx, "one"), put(tx, "two")]);
      const written = [await transactionIn(tx), await transactionIn(tx)];
      return [before, new Set(read).size, new Set(written).size];
    });
    expect(seen).toEqual([[], 2, 1]);
    expect(await transaction(keysIn)).toEqual(["one", "two"]);
  });

  test("begins before whatever locks or changes something, although it is a select", async () => {
    const transaction = (await empty()).transactionOf((tx: Database) => tx);
    const isHeld = sql`select count(*)::integer as held from pg_locks where locktype = 'advisory'
      and database = (select oid from pg_database where datname = current_database())`;
    for (const lock of [
      sql`select pg_advisory_xact_lock(7)`,
      sql`select 1 from ${attemptsTable}
        for update`,
    ]) {
      const names = await transaction(async (tx) => {
        await tx.execute(lock);
        return [await transactionIn(tx), await transactionIn(tx)];
      });
      expect(new Set(names).size).toBe(1);
    }
    const held = await transaction(async (tx) => {
      await tx.execute(sql`select pg_advisory_xact_lock(7)`);
      return rowsOf<{ held: number }>(tx, isHeld);
    });
    expect(held).toEqual([{ held: 1 }]);
    expect(await transaction((tx) => rowsOf(tx, isHeld))).toEqual([{ held: 0 }]);
  });
});
