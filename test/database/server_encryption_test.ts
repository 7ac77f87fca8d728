import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { rowsOf } from "../../src/database/logical_dump.ts";
import type { Connection } from "../../src/database/postgres.ts";
import { openServer } from "../../src/database/server.ts";
import { LOOPBACK_AUTHORITY, LOOPBACK_CERTIFICATE, LOOPBACK_KEY } from "../support/loopback_certificate.ts";
import { migrationFolder } from "../support/migrations.ts";
import { type PostgresServer, startPostgresServer } from "../support/postgres_server.ts";

const folder = mkdtempSync(join(tmpdir(), "breachbell-tls-"));
const file = (name: string) => join(folder, name);
/** The certificate's name, which is a role that needs no password. */
const BY_CERTIFICATE = "hooks.example";
const access = [
  `hostssl all "${BY_CERTIFICATE}" 127.0.0.1/32 cert`,
  "hostssl all all 127.0.0.1/32 scram-sha-256",
  "local all all scram-sha-256",
];
let encrypted: PostgresServer;
let plain: PostgresServer;

beforeAll(async () => {
  writeFileSync(file("ca.pem"), LOOPBACK_AUTHORITY);
  writeFileSync(file("cert.pem"), LOOPBACK_CERTIFICATE);
  writeFileSync(file("key.pem"), LOOPBACK_KEY);
  [encrypted, plain] = await Promise.all([
    startPostgresServer({
      encrypted: {
        key: LOOPBACK_KEY,
        certificate: LOOPBACK_CERTIFICATE,
        authority: LOOPBACK_AUTHORITY,
        access,
      },
    }),
    startPostgresServer(),
  ]);
}, 60_000);

afterAll(async () => {
  rmSync(folder, { recursive: true });
  await Promise.all([encrypted?.stop(), plain?.stop()]);
}, 30_000);

/** The server's URL with other parts. */
function urlOf(server: PostgresServer, query: string, host = "127.0.0.1"): string {
  return `${server.url.replace("127.0.0.1", host)}?${query}`;
}

async function using<T>(url: string, work: (connection: Connection) => Promise<T>): Promise<T> {
  const connection = await openServer(url, undefined, { startMs: 2000 });
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
}

/** Whether the connection is encrypted, or why there is none. */
function isEncrypted(url: string): Promise<boolean | string> {
  return using(url, async ({ transaction }) => {
    const [row] = await transaction((tx) =>
      rowsOf<{ ssl: boolean }>(tx, sql`select ssl from pg_stat_ssl where pid = pg_backend_pid()`),
    );
    return row?.ssl ?? false;
  }).catch((error: Error) => error.message);
}

function failure(server: string, reason: string): string {
  return `Cannot use the Postgres server at "${server}": ${reason}; check that it is running and that DATABASE_URL is correct`;
}

describe("A server that demands TLS, with a certificate of a private authority", () => {
  const at = () => `127.0.0.1:${encrypted.port}`;

  test.each(["sslmode=allow", "sslmode=prefer", "", "sslmode=require", "ssl=true"])("?%s encrypts", async (query) => {
    expect(await isEncrypted(urlOf(encrypted, query))).toBe(true);
  });

  test("sslmode=disable is refused by the server, which says why", async () => {
    expect(await isEncrypted(urlOf(encrypted, "sslmode=disable"))).toMatch(/^Cannot sign in .+no encryption; correct/);
  });

  test("sslmode=verify-ca and verify-full are refused without the authority", async () => {
    for (const query of ["sslmode=verify-ca", "sslmode=verify-full", "sslrootcert=system"])
      expect(await isEncrypted(urlOf(encrypted, query))).toBe(
        failure(at(), "its certificate is from an unknown authority"),
      );
  });

  test("sslrootcert names the authority, and only verify-full looks at the name", async () => {
    const query = (mode: string) => `sslmode=${mode}&sslrootcert=${file("ca.pem")}`;
    for (const mode of ["require", "verify-ca", "verify-full"])
      expect(await isEncrypted(urlOf(encrypted, query(mode)))).toBe(true);
    expect(await isEncrypted(urlOf(encrypted, query("verify-full"), "localhost"))).toBe(true);
    // Another spelling of the same address, which is not in the certificate.
    expect(await isEncrypted(urlOf(encrypted, query("verify-ca"), "127.1"))).toBe(true);
    expect(await isEncrypted(urlOf(encrypted, query("verify-full"), "127.1"))).toBe(
      failure(`127.1:${encrypted.port}`, "its certificate is for another name"),
    );
  });

  test("a certificate file that cannot be read is named", async () => {
    const query = `sslmode=verify-full&sslrootcert=${file("none.pem")}`;
    expect(await isEncrypted(urlOf(encrypted, query))).toBe(
      `Cannot read "${file("none.pem")}", which DATABASE_URL names as sslrootcert: it does not exist`,
    );
  });

  test("sslcert and sslkey sign in", async () => {
    await using(urlOf(encrypted, ""), ({ transaction }) =>
      transaction((tx) => tx.execute(sql.raw(`create role "${BY_CERTIFICATE}" login`))),
    );
    const url = `postgres://${BY_CERTIFICATE}@${at()}/postgres`;
    expect(await isEncrypted(`${url}?sslcert=${file("cert.pem")}&sslkey=${file("key.pem")}`)).toBe(true);
    expect(await isEncrypted(url)).toMatch(/^Cannot sign in .+certificate/);
  });

  test("a cancelled statement keeps its encrypted connection", async () => {
    const connection = await openServer(urlOf(encrypted, "sslmode=require"), undefined, { deadlineMs: 12_000 });
    const pid = () => connection.transaction((tx) => rowsOf<{ pid: number }>(tx, sql`select pg_backend_pid() as pid`));
    const before = await pid();
    await expect(connection.transaction((tx) => rowsOf(tx, sql`select pg_sleep(30)`))).rejects.toThrow("canceling");
    expect(await pid()).toEqual(before);
    await connection.close();
  });
});

describe("A server without TLS", () => {
  test.each(["sslmode=disable", "sslmode=allow", "sslmode=prefer", ""])("?%s is not encrypted", async (query) => {
    expect(await isEncrypted(urlOf(plain, query))).toBe(false);
  });

  test.each(["require", "verify-ca", "verify-full"])("sslmode=%s is refused", async (mode) => {
    expect(await isEncrypted(urlOf(plain, `sslmode=${mode}`))).toBe(
      failure(`127.0.0.1:${plain.port}`, `it offers no TLS, which sslmode=${mode} requires`),
    );
  });

  test("is reached through its socket, where sslmode has no meaning", async () => {
    const { username, password } = new URL(plain.url);
    const query = `host=${plain.socketDirectory}&port=${plain.port}&sslmode=require`;
    expect(await isEncrypted(`postgres://${username}:${password}@/postgres?${query}`)).toBe(false);
  });

  test("settings in `options` and the application's name arrive", async () => {
    const url = urlOf(plain, "options=-c%20work_mem%3D8MB&application_name=bell&keepalives=0");
    const rows = await using(url, ({ transaction }) =>
      transaction((tx) =>
        rowsOf(tx, sql`select current_setting('work_mem') as memory, current_setting('application_name') as name`),
      ),
    );
    expect(rows).toEqual([{ memory: "8MB", name: "bell" }]);
  });
});

describe("Several hosts", () => {
  test("the first that answers is used, and each that does not is named", async () => {
    const { username, password } = new URL(plain.url);
    const urlTo = (hosts: string) => `postgres://${username}:${password}@${hosts}/postgres`;
    expect(await isEncrypted(urlTo(`127.0.0.1:1,nowhere.invalid,127.0.0.1:${plain.port}`))).toBe(false);
    expect(await isEncrypted(urlTo("127.0.0.1:1,nowhere.invalid"))).toBe(
      failure(
        "127.0.0.1:1, nowhere.invalid:5432",
        "127.0.0.1:1: nobody listens there; nowhere.invalid:5432: the name is not known",
      ),
    );
  });

  test("one that accepts no changes is avoided, when starting and later", async () => {
    const role = "create role bell superuser login password 'bell'";
    const run = (server: PostgresServer, statement: string) =>
      using(server.url, ({ transaction }) => transaction((tx) => tx.execute(sql.raw(statement))));
    await run(encrypted, role);
    await run(
      plain,
      `${role}; alter role bell set default_transaction_read_only = on; create table moved (id integer)`,
    );
    const url = `postgres://bell:bell@127.0.0.1:${plain.port},127.0.0.1:${encrypted.port}/postgres`;
    const migrations = migrationFolder(["create table moved (id integer)"]);
    const write = ({ transaction }: Connection) => transaction((tx) => tx.execute(sql`insert into moved values (1)`));
    const migrating = await openServer(url, migrations);
    await write(migrating);
    await using(url, async (connection) => {
      await expect(write(connection)).rejects.toThrow("The database accepts no changes");
      await write(connection);
    });
    await migrating.close();
    rmSync(migrations, { recursive: true });
  });

  test("what is no Postgres server is passed over", async () => {
    const website = createServer(
      (socket) => void socket.on("data", () => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n")),
    );
    await new Promise<void>((resolve) => website.listen(0, "127.0.0.1", resolve));
    const { port } = website.address() as { port: number };
    const url = `postgres://u:p@127.0.0.1:${port}/postgres`;
    expect(await isEncrypted(url)).toBe(failure(`127.0.0.1:${port}`, "it does not speak Postgres's protocol"));
    await new Promise((resolve) => website.close(resolve));
  });
});
