import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { isDatabaseUnavailable } from "../../src/database/errors.ts";
import { rowsOf } from "../../src/database/logical_dump.ts";
import { MIGRATIONS } from "../../src/database/open.ts";
import { openServer } from "../../src/database/server.ts";
import { hasPgBouncer, type PgBouncer, startPgBouncer } from "../support/pgbouncer.ts";
import { createDatabase, type PostgresServer, startPostgresServer } from "../support/postgres_server.ts";
import { restarts } from "./restarts.ts";

describe.if(hasPgBouncer)("PgBouncer in transaction mode", () => {
  let server: PostgresServer;
  let bouncer: PgBouncer;
  let connection: Awaited<ReturnType<typeof openServer>>;

  beforeAll(async () => {
    server = await startPostgresServer();
    // Fewer connections to the server than the product has to the bouncer, so that each statement may meet another one.
    bouncer = await startPgBouncer(await createDatabase(server.url), 2);
    connection = await openServer(bouncer.url, MIGRATIONS);
  }, 60_000);

  afterAll(async () => {
    await connection?.close();
    await bouncer?.stop();
    await server?.stop();
  }, 30_000);

  test("migrates through it, once", async () => {
    const again = await openServer(bouncer.url, MIGRATIONS);
    const count = sql`select count(*)::integer as count from drizzle.__drizzle_migrations`;
    const [row] = await again.transaction((tx) => rowsOf<{ count: number }>(tx, count));
    await again.close();
    expect(row?.count).toBeGreaterThan(10);
  });

  test("repeats the same statements on any connection, and names none of them", async () => {
    await connection.transaction((tx) => tx.execute(sql`create table notes (id integer primary key, text text)`));
    const ids = Array.from({ length: 400 }, (_, id) => id);
    await Promise.all(
      ids.map(async (id) => {
        await connection.transaction((tx) => tx.execute(sql`insert into notes values (${id}, ${`note ${id}`})`));
        await connection.transaction(async (tx) => {
          await rowsOf(tx, sql`select text from notes where id = ${id}`);
          await tx.execute(sql`update notes set text = ${`text ${id}`} where id = ${id}`);
          await tx.transaction((nested) => nested.execute(sql`update notes set id = id where id = ${id}`));
        });
      }),
    );
    const [row] = await connection.transaction((tx) =>
      rowsOf<{ written: number; named: number }>(
        tx,
        sql`select count(*)::integer as written, (select count(*)::integer from pg_prepared_statements) as named
          from notes where text = 'text ' || id`,
      ),
    );
    expect(row).toEqual({ written: 400, named: 0 });
  }, 30_000);

  test("cancels a slow read, and the next statement works", async () => {
    const patient = await openServer(bouncer.url, undefined, { deadlineMs: 1500, connections: 1 });
    const slow = patient.transaction((tx) => rowsOf(tx, sql`select pg_sleep(20)`)).catch((error: unknown) => error);
    expect(isDatabaseUnavailable(await slow)).toBe(true);
    const sleeping = sql`select 1 from pg_stat_activity where query like 'select pg_sleep(20)%' and state = 'active'`;
    expect(await patient.transaction((tx) => rowsOf(tx, sleeping))).toEqual([]);
    await patient.close();
  }, 30_000);

  test("backs up in one consistent view", async () => {
    const names = await connection.snapshot(async ({ tables }) => tables.map(({ name }) => name));
    expect(names).toContain("identity.users");
  });

  test("waits on start-up for a server behind it that is starting", async () => {
    const restarted = server.restart("immediate");
    const started = await openServer(bouncer.url, undefined, { startMs: 30_000 });
    await Promise.all([restarted, started.close()]);
  }, 60_000);

  test("a product behind it survives restarts of the server under load", async () => {
    const findings = await restarts(2, 3, startPgBouncer);
    expect(findings.filter(({ pass, what }) => !pass && !/\bseconds\b/.test(what))).toEqual([]);
  }, 600_000);
});
