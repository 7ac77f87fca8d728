import { sql } from "drizzle-orm";
import { hasTable, rowsOf } from "../database/logical_dump.ts";
import type { Database } from "../database/postgres.ts";
import type { Mac, NewToken } from "../shared/secrets.ts";
import { installationTable } from "./adapters/postgres/installation.ts";
import { secretCheck } from "./format.ts";

async function recorded(tx: Database) {
  if (!(await hasTable(tx, "backup.installation"))) return undefined;
  const [row] = await tx.select().from(installationTable);
  return row;
}

/** Whether there is data that a new secret could not read, in a database of any release. */
export async function hasData(tx: Database): Promise<boolean> {
  if (await recorded(tx)) return true;
  if (!(await hasTable(tx, "identity.users"))) return false;
  return (await rowsOf(tx, sql`select 1 from identity.users limit 1`)).length > 0;
}

/** Whether the data belongs to this secret; true where nothing was recorded yet. */
export async function belongsTo(tx: Database, mac: Mac): Promise<boolean> {
  const row = await recorded(tx);
  return row === undefined || secretCheck(mac, row.value).mac === row.mac;
}

/** Records the secret of new data, or of that of an earlier release. Of processes that start at the same time, one wins. */
export async function recordSecret(tx: Database, mac: Mac, newToken: NewToken): Promise<void> {
  if (await recorded(tx)) return;
  await tx.insert(installationTable).values(secretCheck(mac, newToken())).onConflictDoNothing();
}
