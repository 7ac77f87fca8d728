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

  test("is atomic, and begins with its first statement, even if that one only reads", async () => {
    const transaction = (await empty()).transactionOf((tx: Database) => tx);
    const failing = transaction(async (tx) => {
      await keysIn(tx);
      await put(tx, "lost");
      throw new Error("Cannot go on");
    });
    await expect(failing).rejects.toThrow("Cannot go on");
    const seen = await transaction(async (tx) => {
      const before = await keysIn(tx);
      const startOf = () => rowsOf<{ at: string }>(tx, sql`select now()::text as at`);
      const [first] = await startOf();
      await Promise.all([put(tx, "one"), put(tx, "two")]);
      const [second] = await startOf();
      return [before, first?.at === second?.at];
    });
    expect(seen).toEqual([[], true]);
    expect(await transaction(keysIn)).toEqual(["one", "two"]);
  });
});
