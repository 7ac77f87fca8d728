import { expect, test } from "bun:test";
import { join } from "node:path";
import { type SQL, sql } from "drizzle-orm";
import { MIGRATION_LOCK } from "../../src/database/migration_status.ts";
import { openServer } from "../../src/database/server.ts";
import { doneOrBlocked } from "../support/blocked.ts";
import { migratedDatabase } from "../support/postgres.ts";

const MIGRATIONS = join(import.meta.dirname, "../../migrations");

test("a start that is over while it tries again names what it found before", async () => {
  let connections = 0;
  // Hangs up on the first client, and never answers the next.
  const peer = Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      open(socket) {
        connections += 1;
        if (connections === 1) socket.end();
      },
      data() {},
    },
  });
  const url = `postgres://bell:bell@127.0.0.1:${peer.port}/bell?sslmode=disable`;
  const failure = await openServer(url, undefined, { startMs: 1500 }).then(
    () => "It opened",
    (error: Error) => error.message,
  );
  peer.stop(true);
  expect(connections).toBe(2);
  expect(failure).toStartWith(`Cannot use the Postgres server at "127.0.0.1:${peer.port}": `);
  expect(failure).not.toContain("did not answer within");
});

const PATIENT = { deadlineMs: 55_000, startMs: 55_000 };

/** Another connection with an open transaction that has run this statement; `rollBack()` ends it. */
async function holding(url: string, statement: SQL) {
  const other = await openServer(url, undefined, PATIENT);
  const [isHeld, isOver] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const held = other.transaction(async (tx) => {
    await tx.execute(statement);
    isHeld.resolve();
    await isOver.promise;
    throw new Error("Rolled back");
  });
  held.catch(isHeld.reject);
  await isHeld.promise;
  return {
    async rollBack() {
      isOver.resolve();
      await held.catch(() => {});
      await other.close();
    },
  };
}

test("a start does not migrate a database that is already migrated", async () => {
  const url = await migratedDatabase();
  // A shared lock lets others read the status, but would block a migration.
  const looking = await holding(url, sql`select pg_advisory_xact_lock_shared(${MIGRATION_LOCK})`);
  await (await openServer(url, MIGRATIONS, PATIENT)).close();
  await looking.rollBack();
});

test("a start waits for a process that migrates or restores", async () => {
  const url = await migratedDatabase();
  const restoring = await holding(url, sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`);
  const watching = await openServer(url, undefined, PATIENT);
  const started = openServer(url, MIGRATIONS, PATIENT);
  await doneOrBlocked(watching.transaction, started);
  expect(await Promise.race([started, "It waits"])).toBe("It waits");
  await restoring.rollBack();
  await (await started).close();
  await watching.close();
});
