import { beforeAll, describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { is, sql } from "drizzle-orm";
import { getTableConfig, PgTable } from "drizzle-orm/pg-core";
import type { Database } from "../../src/database/postgres.ts";
import { emptyDatabase } from "../support/postgres.ts";
import { columnsOf } from "../support/stored_values.ts";
import { classified, mistakesIn } from "./classes.ts";
import { COLUMNS } from "./columns.ts";

const ROOT = join(import.meta.dirname, "../..");

/** The columns of every table defined in the source. */
async function columnsInCode(): Promise<string[]> {
  const paths = readdirSync(join(ROOT, "src"), { recursive: true, encoding: "utf8" });
  const columns = new Set<string>();
  for (const path of paths.filter((one) => /\/adapters\/postgres\/\w+\.ts$/.test(one)))
    for (const one of Object.values((await import(join(ROOT, "src", path))) as Record<string, unknown>)) {
      if (!is(one, PgTable)) continue;
      const { schema, name, columns: own } = getTableConfig(one);
      for (const column of own) columns.add(`${schema}.${name}.${column.name}`);
    }
  return [...columns];
}

describe("every column of the database", () => {
  let columns: string[];

  beforeAll(async () => {
    const database = await emptyDatabase();
    columns = await columnsOf({ plain: database.transactionOf((tx: Database) => tx) });
  });

  test("has one class, and no class is left of a removed column", () => {
    expect(columns.length).toBeGreaterThan(300);
    expect(mistakesIn(COLUMNS, columns)).toEqual([]);
  });

  test("is the same as in the code", async () => {
    expect((await columnsInCode()).toSorted()).toEqual(columns.toSorted());
  });

  test("that is withheld or kept has a reason, and what is kept a time limit", () => {
    for (const { withheld = {}, kept = {} } of Object.values(COLUMNS)) {
      for (const why of Object.values(withheld)) expect(why).not.toBe("");
      for (const { why, until } of Object.values(kept)) expect([why, until]).not.toContain("");
    }
  });

  test("fails the check by name when it is new", async () => {
    const { transactionOf } = await emptyDatabase();
    const undone = new Error("Take it back");
    let mistakes: string[] = [];
    const planted = transactionOf((tx: Database) => tx)(async (tx) => {
      await tx.execute(sql`alter table billing.payment_event add column customer_email text`);
      await tx.execute(sql`create table billing.coupon (owner text)`);
      mistakes = mistakesIn(COLUMNS, await columnsOf({ plain: (work) => work(tx) }));
      throw undone;
    });
    await expect(planted).rejects.toBe(undone);
    expect(mistakes.toSorted()).toEqual([
      "billing.coupon.owner has no class: say in test/personal what it holds, and how it ends",
      "billing.payment_event.customer_email has no class: say in test/personal what it holds, and how it ends",
    ]);
  });

  test("also fails it if it has two classes, or does not exist", () => {
    const twice = { "a.b": { told: "c d", plain: "c", words: "e" } } as const;
    expect(mistakesIn(twice, ["a.b.c"])).toEqual([
      "a.b.c has more than one class",
      "a.b.d does not exist",
      "a.b.e does not exist",
    ]);
    expect(classified(twice)).toHaveLength(3);
  });
});
