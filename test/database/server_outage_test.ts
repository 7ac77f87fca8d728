import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { eq, sql } from "drizzle-orm";
import { integer, pgTable, text } from "drizzle-orm/pg-core";
import { isDatabaseUnavailable } from "../../src/database/errors.ts";
import type { Connection } from "../../src/database/postgres.ts";
import { openServer, type ServerOptions } from "../../src/database/server.ts";
import { migrationFolder } from "../support/migrations.ts";
import { type PostgresServer, startPostgresServer, startSilentProxy } from "../support/postgres_server.ts";

const notes = pgTable("notes", { id: integer("id").primaryKey(), text: text("text").notNull() });
const changing = pgTable("changing", { id: integer("id"), text: text("text") });
const migrations = migrationFolder(["create table notes (id integer primary key, text text not null)"]);
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

async function open(options: Partial<ServerOptions> = {}, url = server.url): Promise<Connection> {
  const connection = await openServer(url, migrations, options);
  opened.push(connection);
  return connection;
}

const failureOf = (work: Promise<unknown>): Promise<Error> =>
  work.then(
    () => Promise.reject(new Error("It should have failed")),
    (error) => error,
  );

async function backendOf(connection: Connection): Promise<unknown> {
  return connection.transaction(async (tx) => {
    const rows = await tx.select({ pid: sql`pg_backend_pid()` }).from(sql`(select 1) as one`);
    return rows[0]?.pid;
  });
}

/** The errors of `count` concurrent transactions. */
async function failuresOf(count: number, connection: Connection): Promise<unknown[]> {
  const outcomes = await Promise.allSettled(Array.from({ length: count }, () => backendOf(connection)));
  return outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason] : []));
}

/** Three times as many transactions as connections: all fail because of the outage, near the deadline. */
async function expectOutage(connection: Connection): Promise<void> {
  const since = performance.now();
  const failures = await failuresOf(12, connection);
  expect(performance.now() - since).toBeLessThan(2000);
  expect(failures.filter(isDatabaseUnavailable)).toHaveLength(12);
}

/** Twelve workers that write one row per transaction, until they are told to stop. */
function startLoad(connection: Connection) {
  const acknowledged: number[] = [];
  const strange: unknown[] = [];
  let lastId = 0;
  let slowest = 0;
  let stopping = false;
  let onCommit = () => {};

  async function work(): Promise<void> {
    while (!stopping) {
      const id = ++lastId;
      const since = performance.now();
      try {
        await connection.transaction((tx) => tx.insert(notes).values({ id, text: "" }));
        acknowledged.push(id);
        onCommit();
      } catch (error) {
        if (!isDatabaseUnavailable(error)) strange.push(error);
        // A closed connection rejects without any I/O: timers and sockets would never get their turn.
        await new Promise(setImmediate);
      }
      slowest = Math.max(slowest, performance.now() - since);
    }
  }
  const workers = Array.from({ length: 12 }, work);

  return {
    acknowledged,
    strange,
    slowest: () => slowest,
    /** Milliseconds until `count` more transactions are committed. */
    timeOf(count: number): Promise<number> {
      const since = performance.now();
      const goal = acknowledged.length + count;
      return new Promise((resolve) => {
        onCommit = () => acknowledged.length >= goal && resolve(performance.now() - since);
      });
    },
    async stop(): Promise<void> {
      stopping = true;
      await Promise.all(workers);
    },
  };
}

describe("openServer() during an outage", () => {
  test("loses nothing, never hangs and recovers immediately when the server crashes three times under load", async () => {
    const connection = await open();
    const load = startLoad(connection);
    await load.timeOf(2000);
    const before = await load.timeOf(1000);
    for (let round = 0; round < 3; round++) {
      await server.restart("immediate");
      const back = performance.now();
      while ((await load.timeOf(250)) > before / 2) expect(performance.now() - back).toBeLessThan(10_000);
    }
    await load.stop();
    expect(load.strange).toEqual([]);
    expect(load.slowest()).toBeLessThan(10_000);
    const stored = await connection.transaction((tx) => tx.select({ id: notes.id }).from(notes));
    const missing = new Set(load.acknowledged).difference(new Set(stored.map(({ id }) => id)));
    expect([...missing]).toEqual([]);
  }, 60_000);

  test("fails within the deadline on half-open connections, and recovers automatically", async () => {
    const proxy = await startSilentProxy(server.port);
    const connection = await open({ deadlineMs: 500 }, proxy.through(server.url));
    await failuresOf(12, connection);
    proxy.silence();
    await expectOutage(connection);
    proxy.speak();
    expect(await failuresOf(12, connection)).toEqual([]);
    await proxy.close();
  }, 20_000);

  test("fails within the deadline on a frozen server, and recovers automatically", async () => {
    const connection = await open({ deadlineMs: 500 });
    await failuresOf(12, connection);
    server.pause();
    await expectOutage(connection);
    server.resume();
    expect(await failuresOf(12, connection)).toEqual([]);
  }, 20_000);

  test("replaces all idle connections when one was cut", async () => {
    const connection = await open({ connections: 2 });
    const pids = await Promise.all([backendOf(connection), backendOf(connection)]);
    const cut = failureOf(
      connection.transaction((tx) => tx.execute(sql`select pg_terminate_backend(pg_backend_pid())`)),
    );
    expect(isDatabaseUnavailable(await cut)).toBe(true);
    expect(pids).not.toContain(await backendOf(connection));
  });

  test("replaces a connection that has reached its maximum age", async () => {
    const connection = await open({ lifetimeMs: 0 });
    expect(await backendOf(connection)).not.toBe(await backendOf(connection));
  });

  test("cancels a slow statement and keeps its connection", async () => {
    const connection = await open({ deadlineMs: 4000 });
    const pid = await backendOf(connection);
    for (const statement of ["select pg_sleep(5)", "do $$ begin perform pg_sleep(5); end $$"]) {
      const slow = connection.transaction((tx) => tx.execute(sql.raw(statement)));
      expect(isDatabaseUnavailable(await failureOf(slow))).toBe(true);
      expect(await backendOf(connection)).toBe(pid);
    }
  }, 20_000);

  test("cancels a slow read that had to wait for its connection, and keeps this connection", async () => {
    const connection = await open({ connections: 1, deadlineMs: 2000 });
    const pid = await backendOf(connection);
    const before = connection.transaction((tx) => tx.execute(sql`select pg_sleep(1)`));
    const slow = connection.transaction((tx) => tx.execute(sql`select pg_sleep(5)`));
    await before;
    expect(isDatabaseUnavailable(await failureOf(slow))).toBe(true);
    expect(await backendOf(connection)).toBe(pid);
  }, 20_000);

  test("recovers after a change of a table's types invalidated its prepared statements", async () => {
    const connection = await open({ connections: 1 });
    const other = await open();
    const find = () => connection.transaction((tx) => tx.select().from(changing).where(eq(changing.id, 1)));
    const change = () =>
      connection.transaction((tx) => tx.update(changing).set({ text: "" }).where(eq(changing.id, 1)).returning());
    await other.transaction((tx) => tx.execute(sql`create table changing (id integer, text varchar(9))`));
    await find();
    await change();
    await other.transaction((tx) => tx.execute(sql`alter table changing alter text type text`));
    expect(await find()).toEqual([]);
    // Inside a transaction nothing can be repeated, so the next one begins on a new connection.
    expect(isDatabaseUnavailable(await failureOf(change()))).toBe(true);
    expect(await change()).toEqual([]);
  });
});

describe("close()", () => {
  test("lets running and waiting transactions finish, and refuses new ones", async () => {
    const connection = await open({ connections: 1 });
    const finishing = Promise.all([backendOf(connection), backendOf(connection)]);
    const closed = connection.close();
    expect(isDatabaseUnavailable(await failureOf(backendOf(connection)))).toBe(true);
    const [one, other] = await finishing;
    expect(one).toBe(other);
    await closed;
  });

  test("takes less than 5 seconds if the server does not respond", async () => {
    const connection = await open({ deadlineMs: 60_000 });
    await backendOf(connection);
    server.pause();
    const stuck = failureOf(backendOf(connection));
    const since = performance.now();
    await connection.close();
    expect(performance.now() - since).toBeLessThan(5000);
    expect(isDatabaseUnavailable(await stuck)).toBe(true);
    server.resume();
  }, 20_000);
});
