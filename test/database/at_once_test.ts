import { describe, expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { integer, pgTable, text } from "drizzle-orm/pg-core";
import type { Database, PostgresDatabase } from "../../src/database/postgres.ts";
import { emptyPglite, emptyServer } from "../support/postgres.ts";

const steps = pgTable("steps", { id: integer("id").primaryKey(), text: text("text").notNull() });

/** Runs `work` in a transaction with a table of its own, which is rolled back. */
async function tried<T>(database: PostgresDatabase, work: (tx: Database) => Promise<T>): Promise<T> {
  let result: { value: T } | undefined;
  const over = new Error("It is over");
  const transaction = database.transactionOf((tx: Database) => tx);
  const run = transaction(async (tx) => {
    await tx.execute(sql`create temporary table steps (id integer primary key, text text not null) on commit drop`);
    result = { value: await work(tx) };
    throw over;
  });
  await run.catch((error: unknown) => {
    if (error !== over) throw error;
  });
  if (!result) throw new Error("It ended without a result");
  return result.value;
}

describe.each([
  ["pglite", emptyPglite],
  ["postgres", emptyServer],
])("concurrent statements of one transaction on %s", (_, open) => {
  test("run in the order of the calls, whatever kind of statement they are", async () => {
    const append = (tx: Database, word: string) =>
      tx
        .update(steps)
        .set({ text: sql`${steps.text} || ${word}` })
        .where(eq(steps.id, 1));
    const [, , returned, , read, , , , name] = await tried(await open(), (tx) =>
      Promise.all([
        tx.insert(steps).values({ id: 1, text: "a" }),
        append(tx, "b"),
        append(tx, "c").returning(),
        tx.execute(sql`update steps set text = text || 'd'`),
        tx.select().from(steps).for("update"),
        tx.delete(steps).where(eq(steps.id, 1)),
        tx.insert(steps).values({ id: 1, text: "e" }),
        tx.execute(sql`set local application_name = 'a setting'`),
        tx.select({ name: sql`current_setting('application_name')` }).from(steps).for("update"),
      ]),
    );
    expect(returned).toEqual([{ id: 1, text: "abc" }]);
    expect(read).toEqual([{ id: 1, text: "abcd" }]);
    expect(name).toEqual([{ name: "a setting" }]);
  });

  test("fail together even if the rejection of one of them is ignored", async () => {
    const database = await open();
    const hidden = database.transactionOf((tx: Database) => tx)(async (tx) => {
      await tx.execute(sql`create temporary table steps (id integer primary key, text text not null) on commit drop`);
      await tx.insert(steps).values({ id: 1, text: "" });
      await tx
        .insert(steps)
        .values({ id: 1, text: "" })
        .catch(() => undefined);
      return "done";
    });
    await expect(hidden).rejects.toThrow("Cannot commit a transaction in which a statement failed");
    expect(await tried(database, (tx) => tx.select().from(steps))).toEqual([]);
  });

  test("fail together if one of them fails, and the next transaction works", async () => {
    const database = await open();
    const add = (tx: Database) => tx.insert(steps).values({ id: 1, text: "" });
    await expect(tried(database, (tx) => Promise.all([add(tx), add(tx), add(tx)]))).rejects.toThrow();
    expect(await tried(database, (tx) => tx.select().from(steps))).toEqual([]);
  });
});
