import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { type SQL, sql } from "drizzle-orm";
import { integer, pgTable, text } from "drizzle-orm/pg-core";
import { isUniqueViolation } from "../../src/database/errors.ts";
import type { Connection, Database } from "../../src/database/postgres.ts";
import { inBackground } from "../../src/database/priority_queue.ts";
import { openServer, type ServerOptions } from "../../src/database/server.ts";
import type { Transaction } from "../../src/shared/transaction.ts";
import { migrationFolder } from "../support/migrations.ts";
import { emptyPglite } from "../support/postgres.ts";
import { createDatabase, type PostgresServer, startPostgresServer } from "../support/postgres_server.ts";

const notes = pgTable("notes", { id: integer("id").primaryKey(), text: text("text").notNull() });
// Slow enough for three processes to run it concurrently.
const migrations = migrationFolder([
  "create table notes (id integer primary key, text text not null)",
  "select pg_sleep(0.3)",
]);
const opened: Connection[] = [];
let server: PostgresServer;

beforeAll(async () => {
  server = await startPostgresServer();
}, 60_000);

afterAll(async () => {
  await Promise.all(opened.map((connection) => connection.close()));
  await server?.stop();
  rmSync(migrations, { recursive: true });
}, 30_000);

async function open(options: Partial<ServerOptions> = {}, url?: string): Promise<Connection> {
  const connection = await openServer(url ?? (await createDatabase(server.url)), migrations, options);
  opened.push(connection);
  return connection;
}

const failureOf = (work: Promise<unknown>): Promise<Error> =>
  work.then(
    () => Promise.reject(new Error("It should have failed")),
    (error) => error,
  );

const add = (tx: Database, id: number) => tx.insert(notes).values({ id, text: "" });

async function ids(connection: Connection): Promise<number[]> {
  const rows = await connection.transaction((tx) => tx.select({ id: notes.id }).from(notes).orderBy(notes.id));
  return rows.map(({ id }) => id);
}

function evaluate(transaction: Transaction<Database>, expression: SQL): Promise<unknown> {
  return transaction(async (tx) => {
    const [row] = await tx.select({ value: sql`${expression}` }).from(sql`(select 1) as one`);
    return row?.value;
  });
}

describe("openServer()", () => {
  test("commits the changes of its callback, and rolls back all of them if it throws", async () => {
    const connection = await open();
    expect(await connection.transaction((tx) => add(tx, 1).returning())).toEqual([{ id: 1, text: "" }]);
    const thrown = new Error("Alice changed her mind");
    const failing = connection.transaction(async (tx) => {
      await add(tx, 2);
      throw thrown;
    });
    expect(await failureOf(failing)).toBe(thrown);
    expect(await ids(connection)).toEqual([1]);
  });

  test("rolls back only the failed nested transaction", async () => {
    const connection = await open();
    await connection.transaction(async (tx) => {
      await add(tx, 1);
      const nested = tx.transaction(async (inner) => {
        await add(inner, 2);
        await add(inner, 1);
      });
      expect(isUniqueViolation(await failureOf(nested))).toBe(true);
      await add(tx, 3);
    });
    expect(await ids(connection)).toEqual([1, 3]);
  });

  test.each([
    ["a row lock", sql`select id from notes where id = 1 for update`, sql`select id from notes for update nowait`],
    [
      "an advisory lock",
      sql`select pg_advisory_xact_lock(7)`,
      sql`select 1 / (case when pg_try_advisory_xact_lock(7) then 1 else 0 end)`,
    ],
  ])("a transaction that only read and took %s has released it when it settles", async (_, take, takeAtOnce) => {
    const connection = await open();
    await connection.transaction((tx) => add(tx, 1));
    for (let round = 0; round < 20; round++) {
      await connection.transaction((tx) => tx.execute(take));
      // The first client is idle: another one queries.
      await Promise.all([ids(connection), connection.transaction((tx) => tx.execute(takeAtOnce))]);
    }
  });

  test("a transaction that read, wrote and threw leaves nothing, however quickly it continues", async () => {
    const connection = await open({ connections: 1 });
    const failing = connection.transaction(async (tx) => {
      await tx.select().from(notes);
      await add(tx, 1);
      throw new Error("Changed its mind");
    });
    const next = connection.transaction((tx) => add(tx, 2));
    expect((await failureOf(failing)).message).toBe("Changed its mind");
    await next;
    expect(await ids(connection)).toEqual([2]);
  });

  test("reserves a connection for requests while jobs want all, and the jobs still make progress", async () => {
    const connection = await open({ connections: 3 });
    for (const id of [1, 2, 3]) await connection.transaction((tx) => add(tx, id));
    const gate = Promise.withResolvers<void>();
    const full = Promise.withResolvers<void>();
    const begun: number[] = [];
    const jobs = [0, 1, 2, 3].map((number) =>
      inBackground(() =>
        connection.transaction(async (tx) => {
          await tx.select().from(notes);
          if (begun.push(number) === 2) full.resolve();
          await gate.promise;
        }),
      ),
    );
    await full.promise;
    const read = await ids(connection);
    const before = begun.length;
    gate.resolve();
    await Promise.all(jobs);
    expect({ read, before, after: begun.toSorted() }).toEqual({ read: [1, 2, 3], before: 2, after: [0, 1, 2, 3] });
  });

  test("does not acknowledge a transaction with a swallowed statement error", async () => {
    const connection = await open();
    const hiding = connection.transaction(async (tx) => {
      await add(tx, 1);
      await failureOf(add(tx, 1).execute());
    });
    expect((await failureOf(hiding)).message).toBe("Cannot commit a transaction in which a statement failed");
    expect(await ids(connection)).toEqual([]);
  });

  test("does not acknowledge one with a swallowed read error, and keeps nothing that was written after it", async () => {
    const connection = await open();
    const broken = sql`select 1 / 0`;
    const reading = connection.transaction(async (tx) => {
      await failureOf(tx.execute(broken));
    });
    const writing = connection.transaction(async (tx) => {
      await failureOf(tx.execute(broken));
      await add(tx, 1);
    });
    for (const { message } of await Promise.all([reading, writing].map(failureOf)))
      expect(message).toBe("Cannot commit a transaction in which a statement failed");
    expect(await ids(connection)).toEqual([]);
  });

  test("refuses a query on a finished transaction", async () => {
    const connection = await open();
    const escaped = await connection.transaction(async (tx) => ({ tx }));
    const late = await failureOf(add(escaped.tx, 1).execute());
    expect(String(late.cause)).toContain("Cannot query in a transaction that has ended");
    expect(await ids(connection)).toEqual([]);
  });

  test("matches PGlite for unique violations and for the values of raw SQL", async () => {
    const both = [(await emptyPglite()).transactionOf((tx) => tx), (await open()).transaction];
    const expressions = [
      ...[sql`1::int8`, sql`9007199254740993`, sql`2::int4`, sql`1.5::numeric`, sql`1.5::float8`, sql`true`, sql`null`],
      ...[
        sql`count(*)`,
        sql`'{"a":[1]}'::jsonb`,
        sql`'2026-11-20 03:04:05.678+00'::timestamptz`,
        sql`'2026-11-20'::date`,
      ],
      ...[sql`array['a', 'b,"{c\\}', null, '', 'NULL']`, sql`'{}'::text[]`, sql`array[1, 2]`, sql`array[3::int8]`],
      ...[sql`array[true, false]`, sql`array['{"a": "b"}'::jsonb]`, sql`array[1.5::float8]`],
      ...[sql`array['11111111-1111-1111-1111-111111111111'::uuid]`, sql`array['2026-11-20'::timestamptz]`],
      ...[sql`${new Date(0)}::timestamptz`, sql`'2026-11-20'::timestamptz > ${new Date(0)}`, sql`${true}::boolean`],
      ...[sql`${sql.param({ a: 1 })}::jsonb`, sql`${sql.param([1, "b"])}::jsonb`, sql`${"x"}::text`, sql`${7}::int8`],
      ...[sql`'b' = any(${sql.param(["a", "b"])}::text[])`, sql`${sql.param(["a", 'b,"{c\\}', null, ""])}::text[]`],
      ...[sql`${sql.param([1, 2])}::int4[]`, sql`${sql.param([true])}::boolean[]`],
    ];
    for (const expression of expressions) {
      const [embedded, served] = await Promise.all(both.map((transaction) => evaluate(transaction, expression)));
      expect(served).toEqual(embedded);
    }
    for (const transaction of both) {
      const violating = transaction(async (tx) => {
        await tx.execute(sql`create temporary table notes (id integer primary key, text text)`);
        await add(tx, 1);
        await add(tx, 1);
      });
      const violation = await failureOf(violating);
      expect(violation.cause).toHaveProperty("code", "23505");
      expect(isUniqueViolation(violation)).toBe(true);
    }
  }, 30_000);

  test("applies the migrations once if three processes start concurrently", async () => {
    const url = await createDatabase(server.url);
    const script = `const { openServer } = await import(process.argv[1]); await (await openServer(...process.argv.slice(2))).close();`;
    const module = join(import.meta.dir, "../../src/database/server.ts");
    const start = () => Bun.spawn([process.execPath, "-e", script, module, url, migrations], { stderr: "pipe" });
    const processes = [start(), start(), start()];
    const outcomes = await Promise.all(
      processes.map(async ({ exited, stderr }) => [await exited, await new Response(stderr).text()]),
    );
    expect(outcomes).toEqual([0, 0, 0].map((code) => [code, ""]));
    const connection = await open({}, url);
    expect(await evaluate(connection.transaction, sql`(select count(*) from drizzle.__drizzle_migrations)`)).toBe(1);
  }, 30_000);

  test("waits on start-up for a server that is starting", async () => {
    const opened = Promise.withResolvers<number[]>();
    await server.restart("fast", () => opened.resolve(open({}, server.url).then(ids)));
    expect(await opened.promise).toEqual([]);
  }, 20_000);

  test("says what to do when it cannot start, without the password", async () => {
    const { password, host } = new URL(server.url);
    const startOf = (change: Partial<URL>, startMs = 10_000) =>
      failureOf(openServer(Object.assign(new URL(server.url), change).href, migrations, { startMs }));
    expect((await startOf({ port: "1" }, 300)).message).toMatch(
      /^Cannot use the Postgres server at "127.0.0.1:1": .+; check that it is running and that DATABASE_URL is correct$/,
    );
    expect((await startOf({ pathname: "/nowhere" })).message).toBe(
      `Cannot open the database "nowhere" on the Postgres server at "${host}": create it, or correct DATABASE_URL`,
    );
    expect((await startOf({ password: "wrong" })).message).toBe(
      `Cannot sign in to the Postgres server at "${host}": password authentication failed for user "postgres"; correct DATABASE_URL`,
    );
    const unreadable = await failureOf(openServer(`postgres//postgres:${password}@`, migrations));
    expect(unreadable.message).toBe(
      'DATABASE_URL must be "embedded" or look like postgres://user:password@host:5432/database',
    );
    for (const failure of [unreadable, await startOf({ port: "1" }, 300), await startOf({ pathname: "/nowhere" })]) {
      expect(Bun.inspect(failure)).not.toContain(password);
    }
  }, 20_000);
});
