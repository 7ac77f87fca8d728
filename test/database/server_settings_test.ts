import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type SQL, sql } from "drizzle-orm";
import { integer, pgSchema, pgTable, text, timestamp } from "drizzle-orm/pg-core";
import postgres from "postgres";
import { isDatabaseUnavailable } from "../../src/database/errors.ts";
import { requireWritable } from "../../src/database/migration_status.ts";
import type { Connection } from "../../src/database/postgres.ts";
import { openServer } from "../../src/database/server.ts";
import { createDatabase, type PostgresServer, startPostgresServer } from "../support/postgres_server.ts";

const notes = pgTable("notes", { id: integer("id").primaryKey() });
const opened: Connection[] = [];
let server: PostgresServer;

beforeAll(async () => {
  server = await startPostgresServer();
}, 60_000);

afterAll(async () => {
  await Promise.all(opened.map((connection) => connection.close()));
  await server?.stop();
}, 30_000);

async function open(url: string): Promise<Connection> {
  const connection = await openServer(url, undefined);
  opened.push(connection);
  return connection;
}

const failureOf = (work: Promise<unknown>): Promise<Error> =>
  work.then(
    () => Promise.reject(new Error("It should have failed")),
    (error) => error,
  );

function evaluate({ transaction }: Connection, expression: SQL): Promise<unknown> {
  return transaction(async (tx) => {
    const [row] = await tx.select({ value: sql`${expression}` }).from(sql`(select 1) as one`);
    return row?.value;
  });
}

describe("A Postgres server with settings of its own", () => {
  test("reads and writes the same values whatever the role and the database have set for other clients", async () => {
    const url = await createDatabase(server.url);
    const name = new URL(url).pathname.slice(1);
    const former = await open(url);
    const settings = {
      datestyle: "'German, DMY'",
      intervalstyle: "iso_8601",
      timezone: "'Asia/Kolkata'",
      client_encoding: "LATIN1",
      standard_conforming_strings: "off",
      search_path: "nowhere",
    };
    for (const [setting, value] of Object.entries(settings))
      await former.transaction((tx) => tx.execute(sql.raw(`alter database "${name}" set ${setting} = ${value}`)));
    const connection = await open(url);
    const at = new Date("2026-03-02T08:15:00.123Z");
    const moments = pgSchema("other").table("moments", {
      at: timestamp("at", { withTimezone: true, precision: 3 }).notNull(),
      text: text("text").notNull(),
    });
    const written = { at, text: "Zoë \\ 😀 'quoted'" };
    await connection.transaction(async (tx) => {
      await tx.execute(sql`create schema other`);
      await tx.execute(sql`create table other.moments (at timestamptz(3) not null, text text not null)`);
      await tx.insert(moments).values(written);
    });
    expect(await connection.transaction((tx) => tx.select().from(moments))).toEqual([written]);
    expect(await evaluate(connection, sql`current_setting('DateStyle')`)).toBe("ISO, YMD");
    expect(await evaluate(connection, sql`interval '90 minutes'::text`)).toBe("01:30:00");
  });

  test("drops a connection to a database that accepts no changes any more, and works again with the next one", async () => {
    const url = await createDatabase(server.url);
    const name = new URL(url).pathname.slice(1);
    const writing = await open(url);
    const setReadOnly = (is: "on" | "off") =>
      writing.transaction((tx) =>
        tx.execute(sql.raw(`alter database "${name}" set default_transaction_read_only = ${is}`)),
      );
    await writing.transaction((tx) => tx.execute(sql`create table notes (id integer primary key)`));
    await setReadOnly("on");
    const connection = await open(url);
    for (const work of [
      () => connection.transaction((tx) => tx.insert(notes).values({ id: 1 })),
      () => connection.transaction((tx) => requireWritable(tx)),
    ])
      expect(isDatabaseUnavailable(await failureOf(work()))).toBe(true);
    await setReadOnly("off");
    await connection.transaction((tx) => requireWritable(tx));
    await connection.transaction((tx) => tx.insert(notes).values({ id: 1 }));
    expect(await connection.transaction((tx) => tx.select().from(notes))).toEqual([{ id: 1 }]);
  });

  test("refuses a database that cannot hold every name, and says how to create one", async () => {
    const name = `latin_${crypto.randomUUID().slice(0, 8)}`;
    const client = postgres(server.url, { max: 1 });
    await client.unsafe(`create database ${name} encoding 'LATIN1' lc_collate 'C' lc_ctype 'C' template template0`);
    await client.end();
    const url = Object.assign(new URL(server.url), { pathname: `/${name}` }).href;
    const { message } = await failureOf(openServer(url, undefined));
    expect(message).toStartWith(`Cannot use the database "${name}": its encoding is LATIN1`);
    expect(message).toContain("--encoding=UTF8");
  });
});
