import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { PGlite } from "@electric-sql/pglite";
import { namedStatements } from "../../src/database/pglite_statements.ts";
import { inBackground } from "../../src/database/turns.ts";

let client: PGlite;
let query: PGlite["query"];
beforeAll(async () => {
  client = await PGlite.create();
  query = namedStatements(client);
  await client.exec(`create table things (id int primary key, at timestamptz, facts jsonb, names text[], size bigint);
    insert into things values (1, '2026-03-02T08:00:00.123Z', '{"a":[1]}', '{one,"t,wo"}', 9007199254740993); insert into things (id) values (2)`);
});
afterAll(() => client.close());

const ROW = "select * from things where id = $1";

describe("namedStatements()", () => {
  test("answers as PGlite does, however often it is asked", async () => {
    for (const options of [undefined, { rowMode: "array" as const }, { parsers: { 1184: (text: string) => text } }])
      for (const id of [1, 2, 3, 1]) {
        const { rows, fields } = await inBackground(() => query(ROW, [id], options));
        expect(await query(ROW, [id], options)).toEqual({ rows, fields });
      }
  });

  test("writes what it is given, as the column wants it", async () => {
    const values = [3, new Date("2026-03-02T09:00:00Z"), { deep: ['"'] }, ["a", "b"], null];
    const insert = "insert into things values ($1, $2, $3, $4, $5) returning *";
    const { rows } = await query(insert, values);
    expect(rows).toEqual((await client.query(ROW, [3])).rows);
    expect(rows).toMatchObject([{ at: values[1], facts: { deep: ['"'] }, names: ["a", "b"], size: null }]);
  });

  test("goes on after one that failed, and tells how", async () => {
    const insert = "insert into things (id) values ($1)";
    await query(insert, [4]);
    await expect(query(insert, [4])).rejects.toMatchObject({ code: "23505" });
    await expect(query("select nothing from things where id = $1", [1])).rejects.toMatchObject({ code: "42703" });
    expect((await query<{ id: number }>("select id from things where id = $1", [4])).rows).toEqual([{ id: 4 }]);
  });

  test("reads a table anew that was changed under it", async () => {
    await query(ROW, [1]);
    await client.exec("alter table things add column more text default 'x'");
    await query(ROW, [1]).catch(() => {});
    expect((await query(ROW, [1])).rows).toMatchObject([{ id: 1, more: "x" }]);
  });
});
