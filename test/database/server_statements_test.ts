import { afterAll, beforeAll, describe, expect, spyOn, test } from "bun:test";
import { type SQL, sql } from "drizzle-orm";
import { rowsOf } from "../../src/database/logical_dump.ts";
import { inBackground } from "../../src/database/priority_queue.ts";
import { openServer } from "../../src/database/server.ts";
import { createDatabase, type PostgresServer, startPostgresServer } from "../support/postgres_server.ts";

describe("prepared statements on a server", () => {
  let server: PostgresServer;
  let connection: Awaited<ReturnType<typeof openServer>>;
  const asJob = <Row>(query: SQL) => inBackground(() => connection.transaction((tx) => rowsOf<Row>(tx, query)));

  beforeAll(async () => {
    server = await startPostgresServer();
    connection = await openServer(await createDatabase(server.url), undefined, { connections: 1 });
    await asJob(sql`create table notes (id integer primary key, text text not null)`);
  }, 60_000);

  afterAll(async () => {
    await connection?.close();
    await server?.stop();
  }, 30_000);

  test("of jobs are replanned for the current contents of their tables, but not each time", async () => {
    for (let number = 0; number < 10; number++)
      await asJob(sql`select id from notes where text <> ${`note ${number}`}`);
    const [kept] = await asJob<{ name: string }>(
      sql`select name from pg_prepared_statements where statement like 'select id from notes%'`,
    );
    /** The planner's estimated row count of the table. */
    async function plannedFor(): Promise<number> {
      const [first] = await asJob<Record<string, string>>(sql.raw(`explain execute "${kept?.name}"('')`));
      return Number(/ rows=(\d+) /.exec(first?.["QUERY PLAN"] ?? "")?.[1]);
    }
    const before = await plannedFor();
    await asJob(sql`insert into notes select number, 'a note' from generate_series(1, 50000) as number`);
    expect(await plannedFor()).toBe(before);

    const { now } = performance;
    const later = spyOn(performance, "now").mockImplementation(() => now.call(performance) + 2000);
    try {
      expect(await plannedFor()).toBeGreaterThan(10 * before);
    } finally {
      later.mockRestore();
    }
  });
});
