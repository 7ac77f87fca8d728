import { expect, test } from "bun:test";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { MIGRATION_LOCK } from "../../src/database/migration_status.ts";
import { openServer } from "../../src/database/server.ts";
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

test("a start migrates no database that is already migrated, and does not wait for a process that migrates", async () => {
  const patient = { deadlineMs: 55_000, startMs: 55_000 };
  const url = await migratedDatabase();
  const first = await openServer(url, undefined, patient);
  const [isHeld, isOver] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const migrating = first.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`);
    isHeld.resolve();
    await isOver.promise;
  });
  await isHeld.promise;
  const second = await openServer(url, MIGRATIONS, patient);
  isOver.resolve();
  await migrating;
  await second.close();
  await first.close();
});
