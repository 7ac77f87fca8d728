import { describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { rowsOf } from "../../src/database/logical_dump.ts";
import type { Database } from "../../src/database/postgres.ts";
import { attemptsTable } from "../../src/identity/adapters/postgres/store.ts";
import { emptyPglite, emptyServer } from "../support/postgres.ts";

const UNTIL = new Date("2026-11-20T12:00:00Z");
const put = (tx: Database, key: string) => tx.insert(attemptsTable).values({ key, tries: 1, until: UNTIL }).execute();
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

  test("that certainly writes is as atomic as any other", async () => {
    const transaction = (await empty()).transactionOf((tx: Database) => tx);
    const failing = transaction(async (tx) => {
      await keysIn(tx);
      await put(tx, "lost");
      throw new Error("Cannot go on");
    }, "writes");
    await expect(failing).rejects.toThrow("Cannot go on");
    const seen = await transaction(async (tx) => {
      const before = await keysIn(tx);
      await Promise.all([put(tx, "one"), put(tx, "two")]);
      const [row] = await rowsOf<{ held: boolean }>(
        tx,
        sql`select pg_current_xact_id_if_assigned() is not null as held`,
      );
      return [before, row?.held];
    }, "writes");
    expect(seen).toEqual([[], true]);
    expect(await transaction(keysIn)).toEqual(["one", "two"]);
  });
});
