import { describe, expect, test } from "bun:test";
import { type SQL, sql } from "drizzle-orm";
import { rowsOf } from "../../src/database/logical_dump.ts";
import type { Database } from "../../src/database/postgres.ts";
import { attemptsTable } from "../../src/identity/adapters/postgres/store.ts";
import { emptyPglite, emptyServer } from "../support/postgres.ts";

const UNTIL = new Date("2026-11-20T12:00:00Z");
const put = (tx: Database, key: string, tries: number | SQL = 1) =>
  tx.insert(attemptsTable).values({ key, tries, until: UNTIL });

const failureOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "none",
    (error: Error) => `${error.message} ${error.cause ?? ""}`,
  );

describe.each([
  ["pglite", emptyPglite],
  ["a server", emptyServer],
])("a transaction of one write on %s", (_, empty) => {
  async function opened() {
    const transaction = (await empty()).transactionOf((tx: Database) => tx);
    const keys = async () => (await transaction((tx) => tx.select().from(attemptsTable))).map(({ key }) => key).sort();
    return { transaction, keys };
  }

  test("commits its write, with the reads around it, without BEGIN", async () => {
    const { transaction, keys } = await opened();
    const seen = await transaction(async (tx) => {
      const before = await tx.select().from(attemptsTable);
      await put(tx, "one");
      return [before.length, (await tx.select().from(attemptsTable)).length];
    }, "autocommit");
    expect([seen, await keys()]).toEqual([[0, 1], ["one"]]);
    const isAlone = await transaction(async (tx) => {
      await put(tx, "two");
      // Within a transaction the write assigns a transaction id; a single statement that only reads has none.
      const [row] = await rowsOf<{ alone: boolean }>(tx, sql`select pg_current_xact_id_if_assigned() is null as alone`);
      return row?.alone;
    }, "autocommit");
    expect(isAlone).toBe(true);
  });

  test("refuses a second write, and keeps the first one", async () => {
    const { transaction, keys } = await opened();
    const twice = transaction(async (tx) => {
      await put(tx, "first");
      await put(tx, "second");
    }, "autocommit");
    expect(await failureOf(twice)).toContain("Cannot write twice in a transaction of one write");
    expect(await keys()).toEqual(["first"]);
  });

  test("is not acknowledged if the write failed and the error was swallowed", async () => {
    const { transaction, keys } = await opened();
    const hiding = transaction(async (tx) => {
      await failureOf(put(tx, "broken", sql<number>`1 / 0`).execute());
    }, "autocommit");
    expect(await failureOf(hiding)).toContain("Cannot commit a transaction in which a statement failed");
    expect(await keys()).toEqual([]);
    // The connection is usable afterwards.
    await transaction((tx) => put(tx, "next"), "autocommit");
    await transaction(async (tx) => {
      await put(tx, "whole");
      await put(tx, "too");
    });
    expect(await keys()).toEqual(["next", "too", "whole"]);
  });
});
