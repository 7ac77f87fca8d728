// R36: the database itself prevents the product's role from changing or deleting entries of the audit log.
// Runs under a separate role that owns nothing but its database, as an operator would configure it.
//   bun test/faults/audit_log.ts

import { sql } from "drizzle-orm";
import postgres from "postgres";
import { rowsOf } from "../../src/database/logical_dump.ts";
import { type Database, postgresDatabase } from "../../src/database/postgres.ts";
import { openServer } from "../../src/database/server.ts";
import { postgresEvents } from "../../src/events/adapters/postgres/outbox.ts";
import { postgresIdentity } from "../../src/identity/adapters/postgres/store.ts";
import { MIGRATIONS } from "../backup/stage.ts";
import { createDatabase, startPostgresServer } from "../support/postgres_server.ts";
import { atLeast, atMost, type Finding, PATIENT, tell } from "./bench.ts";

const ENTRIES = 3;
const WAYS = {
  update: sql`update identity.audit_events set event = 'signed_out'`,
  delete: sql`delete from identity.audit_events`,
  truncate: sql`truncate identity.audit_events`,
};

export async function auditLog(): Promise<Finding[]> {
  const server = await startPostgresServer();
  const place = new URL(await createDatabase(server.url));
  const name = place.pathname.slice(1);
  const superuser = postgres(server.url, { max: 1 });
  await superuser.unsafe(`create role product login password 'product'; alter database ${name} owner to product`);
  await superuser.end();
  const url = Object.assign(place, { username: "product", password: "product" }).href;
  const database = await postgresDatabase(await openServer(url, MIGRATIONS, PATIENT), postgresEvents);
  const plain = database.transactionOf((tx: Database) => tx);
  await database.transactionOf(postgresIdentity)(async ({ audit }) => {
    for (let entry = 0; entry < ENTRIES; entry++)
      await audit.add({
        id: Bun.randomUUIDv7(),
        at: database.now(),
        accountId: crypto.randomUUID(),
        event: "signed_in",
        sessionMark: undefined,
        ipPrefix: undefined,
        device: {},
        detail: {},
      });
  });
  const count = async () => {
    const [row] = await plain((tx) =>
      rowsOf<{ count: number }>(tx, sql`select count(*)::integer as count from identity.audit_events`),
    );
    return row?.count ?? 0;
  };
  const written = await count();
  const accepted: string[] = [];
  for (const [way, statement] of Object.entries(WAYS)) {
    class Undone extends Error {}
    await plain(async (tx) => {
      await tx.execute(statement);
      accepted.push(way);
      throw new Undone();
    }).catch((error) => {
      if (!(error instanceof Undone)) console.error(`${way}: ${error.message}`);
    });
  }
  await database.close();
  await server.stop();
  const said = accepted.length === 0 ? "" : ` (${accepted.join(", ")})`;
  return [
    atLeast("R36", "entries that the product's role can add", written, ENTRIES),
    atMost("R36", `kinds of change that the database lets that role do to them${said}`, accepted.length, 0),
  ];
}

if (import.meta.main) await tell(auditLog());
