import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { sql } from "drizzle-orm";
import { type Ended, ERASURES_FILE, erasures, type Marks, markOf, marksBeside } from "../backup/erasures.ts";
import type { BackupReport, OnProgress } from "../backup/format.ts";
import { inClear, verifyBackup } from "../backup/read.ts";
import { type Again, restoreFrom, settleCopy } from "../backup/restore.ts";
import { backupSchedule, statusOf } from "../backup/schedule.ts";
import { postgresSchedule } from "../backup/schedule_store.ts";
import { backupTo } from "../backup/write.ts";
import type { Config } from "../config/config.ts";
import { type Bulk, rowsOf } from "../database/logical_dump.ts";
import { MIGRATIONS, openDatabase } from "../database/open.ts";
import type { Connection, Database } from "../database/postgres.ts";
import { postgresEvents } from "../events/adapters/postgres/outbox.ts";
import { deletionOf } from "../identity/account/deletion.ts";
import { postgresIdentity } from "../identity/adapters/postgres/store.ts";
import { recordOf } from "../invitations/acts.ts";
import { postgresInvitations } from "../invitations/adapters/postgres/store.ts";
import { withdrawn } from "../invitations/invitation.ts";
import type { Mac } from "../shared/secrets.ts";
import type { Transaction } from "../shared/transaction.ts";
import { keysOf, newToken } from "./crypto.ts";
import { existingSecret } from "./secret.ts";

type Opened = Connection & Bulk;
/** `identity`: the file with the private key, for an encrypted backup. */
type Reading = { identity?: string | undefined; onProgress?: OnProgress };
export type BackupSettings = Pick<Config, "database" | "dataDir" | "secret" | "backup">;

/** Repeats deletions through the modules' own stores; other modules get the events at the next start. */
async function endAgain(tx: Database, marks: Marks, mac: Mac): Promise<Again> {
  const now = () => new Date();
  const events = postgresEvents(tx, now);
  const identity = postgresIdentity(tx, events);
  const { invitations, records } = postgresInvitations(tx, events);
  const marked = async (what: Ended, table: string) => {
    const rows = await rowsOf<{ id: string }>(tx, sql.raw(`select id::text as id from ${table}`));
    return rows.filter(({ id }) => marks.has(markOf(mac, what, id)));
  };
  const accounts = await marked("account", "identity.users");
  for (const { id } of accounts) {
    const user = await identity.users.find(id);
    await identity.audit.forget(id);
    await identity.users.remove(id);
    if (user) await events.publish({ ...deletionOf(user), repeated: true });
  }
  let consents = 0;
  for (const { id } of await marked("consent", "invitations.invitation where state = 'accepted'")) {
    const before = await invitations.find({ id });
    const after = before && withdrawn(before, now());
    if (!after || !(await invitations.save(after))) continue;
    const { associationId, inviterId: accountId, address } = after;
    await records.add(recordOf(after, { id: Bun.randomUUIDv7(), at: now(), act: "withdrawn", by: "owner" }));
    await events.publish({
      type: "invitations.ended",
      invitationId: id,
      associationId,
      accountId,
      address,
      how: "withdrawn",
      repeated: true,
    });
    consents += 1;
  }
  return { accounts: accounts.length, consents };
}

/**
 * Backup and restore of this installation. Each call opens the database itself, unless an open one is passed, as in the running
 * server.
 */
export function backupsOf(config: BackupSettings, open?: Opened) {
  const { directory, recipient } = config.backup;
  const encryption = recipient === undefined ? undefined : { recipient, directory: config.dataDir };
  const mac: Mac = (purpose, value) => keysOf(existingSecret(config)).mac(purpose, value);
  const repeated = (tx: Database, marks: Marks) => endAgain(tx, marks, mac);

  async function withDatabase<T>(work: (database: Opened) => Promise<T>, migrations?: string): Promise<T> {
    if (open) return work(open);
    const database = await openDatabase(config, migrations);
    try {
      return await work(database);
    } finally {
      await database.close();
    }
  }

  const place = { ...config.backup, machine: hostname() };
  const schedule = backupSchedule({
    ...place,
    transaction: (work) => withDatabase(({ transaction }) => transaction((tx) => work(postgresSchedule(tx)))),
    isEncrypted: encryption !== undefined,
    workDirectory: config.dataDir,
    now: () => new Date(),
    backup: (file, onProgress) =>
      withDatabase((database) => backupTo(database, file, { mac, newToken, encryption, onProgress })),
  });

  return {
    /** Writes to `file`, or under the default name into the backup directory. */
    backupTo: (file: string | undefined, onProgress?: OnProgress): Promise<BackupReport> =>
      schedule.make(file, onProgress),
    /** For a database whose tables are not those of this release yet: `record` what was written once they are. */
    write: schedule.write,
    record: schedule.record,
    /** Checks that a backup is complete and was made with this installation's secret; opens no database. */
    async verifyBackup(file: string, { identity, onProgress }: Reading = {}): Promise<BackupReport> {
      const verify = (plain: string) => verifyBackup(plain, { mac, onProgress });
      const { header: _, sums: __, ...report } = await inClear(file, { identity, directory: config.dataDir }, verify);
      return { ...report, file };
    },
    restoreFrom: (file: string, { identity, replace, onProgress }: Reading & { replace?: boolean } = {}) =>
      inClear(file, { identity, directory: config.dataDir }, (plain) =>
        withDatabase((database) =>
          restoreFrom(database, plain, {
            mac,
            migrations: MIGRATIONS,
            marks: marksBeside([directory, dirname(file)]),
            endAgain: repeated,
            replace,
            onProgress,
          }),
        ),
      ),
    /** Ends what was ended since, in a database that came back from `pg_dump` or a snapshot; undefined if it is not older. */
    settleCopy: (isKnown: boolean) =>
      withDatabase(
        (database) => settleCopy(database, { marks: marksBeside([directory]), endAgain: repeated, isKnown }),
        MIGRATIONS,
      ),
    status: (transaction: Transaction<Database>) =>
      statusOf(place, (work) => transaction((tx) => work(postgresSchedule(tx)))),
    runDue: schedule.runDue,
  };
}

/** Also records deleted accounts next to the backups. */
export function erasuresOf(
  { backup }: Pick<Config, "backup">,
  transaction: Transaction<Database>,
  { mac, report }: { mac: Mac; report: (error: unknown, context: Record<string, unknown>) => void },
) {
  return erasures(transaction, { mac, report, file: join(backup.directory, ERASURES_FILE) });
}
