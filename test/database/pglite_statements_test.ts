import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { PGlite } from "@electric-sql/pglite";
import { PREPARED_IMAGE } from "../../src/database/pglite.ts";
import { MOST_PREPARED, preparedStatements } from "../../src/database/pglite_statements.ts";

describe("prepared statements of the embedded database", () => {
  let client: PGlite;
  let query: PGlite["query"];
  const heldAre = async () => {
    const { rows } = await client.query<{ count: number }>("select count(*)::int as count from pg_prepared_statements");
    return rows[0]?.count;
  };

  beforeAll(async () => {
    client = await PGlite.create({ loadDataDir: new Blob([readFileSync(PREPARED_IMAGE)]) });
    query = preparedStatements(client);
    await client.exec("create table kept (id integer primary key, word text, at timestamptz, words text[], doc jsonb)");
  });
  afterAll(async () => {
    if (!client.closed) await client.close();
  });

  test("read and write values of every type as PGlite itself does", async () => {
    const at = new Date("2026-11-24T08:00:00Z");
    const insert = "insert into kept values ($1, $2, $3, $4, $5)";
    const values = [1, 'it\'s "quoted" – 日本', at, ["a", 'b"c'], { deep: [1, null] }];
    expect((await query(insert, values)).affectedRows).toBe(1);
    await client.query(insert, [2, ...values.slice(1)]);
    await query(insert, [3, null, undefined, [], null]);
    const text = "select word, at, words, doc, id = any($1::int[]) as asked from kept order by id";
    const options = { rowMode: "array" as const, parsers: { 1184: (value: string) => value } };
    for (const wanted of [undefined, options]) {
      const answer = await query(text, [[1, 2]], wanted);
      expect(answer).toEqual(await client.query(text, [[1, 2]], wanted));
      expect(answer.rows[0]).toEqual(answer.rows[1]);
    }
  });

  test("are built once, and return each call's own values", async () => {
    const text = "select $1::int + 1 as next";
    const before = (await heldAre()) ?? 0;
    const answers = await Promise.all([1, 2, 3].map((number) => query<{ next: number }>(text, [number])));
    expect(answers.map(({ rows }) => rows[0]?.next)).toEqual([2, 3, 4]);
    expect(await heldAre()).toBe(before + 1);
  });

  test("continue after one that fails, inside and outside of a transaction", async () => {
    const text = "select 6 / $1::int as part";
    const failing = query(text, [0]).catch(({ code }) => code);
    expect(await Promise.all([failing, query(text, [3])])).toMatchObject(["22012", { rows: [{ part: 2 }] }]);
    expect(await query("select nothing from nowhere").catch(({ code }) => code)).toBe("42P01");

    await client.exec("begin");
    expect(await query(text, [0]).catch(({ code }) => code)).toBe("22012");
    expect(await query("select 'not known yet'").catch(({ code }) => code)).toBe("25P02");
    await client.exec("rollback");
    expect((await query(text, [2])).rows).toEqual([{ part: 3 }]);
    expect((await query("select 'not known yet' as text")).rows).toEqual([{ text: "not known yet" }]);
  });

  test("are prepared again if a table gets another column", async () => {
    await client.exec("create table changed (one integer); insert into changed values (1)");
    expect((await query("select * from changed")).rows).toEqual([{ one: 1 }]);
    await client.exec("alter table changed add column two integer default 2");
    await query("select * from changed").catch(() => undefined);
    expect((await query("select * from changed")).rows).toEqual([{ one: 1, two: 2 }]);
  });

  test("are dropped when there are too many, and renewed after many uses", async () => {
    for (let number = 0; number < MOST_PREPARED + 20; number++) await query(`select ${number}`);
    expect(await heldAre()).toBe(MOST_PREPARED);
    for (let use = 0; use < 1100; use++) await query("select $1::int as use", [use]);
    expect((await query("select $1::int as use", [7])).rows).toEqual([{ use: 7 }]);
    expect(await heldAre()).toBe(MOST_PREPARED);
  });

  test("are refused once the database is closed", async () => {
    await query("select 1");
    await client.close();
    await expect(query("select 1")).rejects.toThrow("closed");
  });
});
