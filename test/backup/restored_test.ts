import { afterEach, describe, expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { releaseRestored } from "../../src/backup/after_restore.ts";
import { ERASURES_FILE } from "../../src/backup/erasures.ts";
import { HOLD_AFTER_MS } from "../../src/backup/restore.ts";
import { rowsOf } from "../../src/database/logical_dump.ts";
import type { Database } from "../../src/database/postgres.ts";
import { postgresDatabase } from "../../src/database/postgres.ts";
import { openServer } from "../../src/database/server.ts";
import { postgresEvents } from "../../src/events/adapters/postgres/outbox.ts";
import { type BackupSettings, backupsOf, erasuresOf } from "../../src/runtime/backups.ts";
import { fillEveryTable, idOf } from "../support/filled.ts";
import { createDatabase, sharedPostgresUrl } from "../support/postgres_server.ts";
import { cleared, folder, MIGRATIONS, mac, type Opened, SECRET } from "./stage.ts";

afterEach(cleared, 30_000);

async function installation() {
  const dataDir = folder();
  const url = await createDatabase(await sharedPostgresUrl());
  const config: BackupSettings = {
    dataDir,
    database: { kind: "server", url },
    secret: { kind: "given", value: SECRET },
    backup: {
      directory: join(dataDir, "backups"),
      keep: { days: 7, weeks: 4 },
      atMinute: undefined,
      recipient: undefined,
    },
  };
  const during = async <T>(work: (database: Opened) => Promise<T>, migrations?: string): Promise<T> => {
    const database = await openServer(url, migrations);
    return work(database).finally(() => database.close());
  };
  await during((database) => database.unhurried((tx) => fillEveryTable(tx, 4)), MIGRATIONS);
  const read = <Row>(query: string) =>
    during((database) => database.unhurried((tx) => rowsOf<Row>(tx, sql.raw(query))));
  return { config, backups: backupsOf(config), during, read };
}

const count = "count(*)::integer as count";

describe("after a restore", () => {
  test("sessions, codes, tokens and open links are void, and users' data and decisions are restored", async () => {
    const { backups, read } = await installation();
    const { file } = await backups.backupTo(undefined);
    const { voided } = await backups.restoreFrom(file, { replace: true });
    const gone = ["sessions", "login_codes", "reset_tokens", "email_changes", "api_tokens"];
    expect(voided).toMatchObject({
      ...Object.fromEntries(gone.map((name) => [`identity.${name}`, 4])),
      "notifications.telegram_link": 4,
      "notifications.contact": 1,
    });
    for (const name of gone) expect(await read(`select ${count} from identity.${name}`)).toEqual([{ count: 0 }]);
    expect(await read("select state, confirm_hash from notifications.contact where confirm_hash is null")).toEqual([
      { state: "unconfirmed", confirm_hash: null },
    ]);
    // These owners' links for withdrawing, even from old mails.
    expect(await read(`select ${count} from invitations.invitation where token_hash is not null`)).toEqual([
      { count: 4 },
    ]);
    for (const table of ["identity.users", "identity.recovery_codes", "tracking.association", "breaches.alert"])
      expect(await read(`select ${count} from ${table}`)).toEqual([{ count: 4 }]);
    expect(
      await read(`select ${count} from breaches.scan where lease_token is not null or lease_until is not null`),
    ).toEqual([{ count: 0 }]);
  });

  test("old pending messages wait for the operator, recent ones are sent, and codes are not", async () => {
    const { backups, read, during } = await installation();
    const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
    const [fresh, stale] = [minutesAgo(10), minutesAgo(HOLD_AFTER_MS / 60_000 + 10)];
    const event = (type: string, at: string, more = "") =>
      `insert into events.outbox (id, order_key, event, run_at) values (gen_random_uuid(), 'a', '{"type":"${type}"${more}}', '${at}')`;
    await during((database) =>
      database.unhurried(async (tx) => {
        await tx.execute(sql`delete from events.outbox`);
        await tx.execute(sql`update notifications.delivery set created_at = ${stale}`);
        // Recent ones: one due, and a code.
        for (const [row, kind] of [
          [0, "test"],
          [2, "login_code"],
        ] as const)
          await tx.execute(
            sql`update notifications.delivery set created_at = ${fresh}, about = ${{ kind }} where id = ${idOf("delivery", row)}`,
          );
        for (const statement of [
          event("breaches.alertsRaised", stale, ',"alerts":[]'),
          event("breaches.alertsRaised", fresh, ',"alerts":[]'),
          event("tracking.monitoringStopped", stale),
          event("mail.requested", fresh, ',"template":"password_reset"'),
        ])
          await tx.execute(sql.raw(statement));
      }),
    );
    const { file } = await backups.backupTo(undefined);
    const report = await backups.restoreFrom(file, { replace: true });
    expect(report).toMatchObject({ held: 1, announcementsHeld: 1 });
    const rows = await read<{ id: string }>("select id, state, reason, in_doubt from notifications.delivery");
    const one = (row: number) => rows.find(({ id }) => id === idOf("delivery", row));
    expect(one(0)).toMatchObject({ state: "due" });
    // It was being sent when the backup was made.
    expect(one(1)).toMatchObject({ state: "held", reason: "operator", in_doubt: true });
    expect(one(2)).toMatchObject({ state: "cancelled" });
    expect(one(3)).toMatchObject({ state: "sent" });
    const waiting = (future: boolean) =>
      read(`select event->>'type' as type from events.outbox where (run_at > now()) = ${future} order by 1`);
    expect(await waiting(true)).toEqual([{ type: "breaches.alertsRaised" }]);
    expect(await waiting(false)).toEqual([{ type: "breaches.alertsRaised" }, { type: "tracking.monitoringStopped" }]);
    const released = await during((database) => database.unhurried((tx) => releaseRestored(tx)));
    expect(released).toEqual({ deliveries: 1, announcements: 1 });
    expect(await waiting(true)).toEqual([]);
    expect(await read(`select ${count} from notifications.delivery where state = 'due'`)).toEqual([{ count: 2 }]);
  }, 60_000);

  test("deleted accounts are deleted again and published, and withdrawn consents are withdrawn", async () => {
    const { config, backups, read, during } = await installation();
    const { file } = await backups.backupTo(undefined);
    const [account, stays, invitation] = [idOf("users", 1), idOf("users", 2), idOf("invitation", 2)];
    await during(async (database) => {
      const plain = (await postgresDatabase(database, postgresEvents)).transactionOf((tx: Database) => tx);
      const { note } = erasuresOf(config, plain, { mac, report: () => {} });
      for (const _ of [1, 2]) await note("account", account);
      await note("consent", invitation);
    });
    const beside = readFileSync(join(config.backup.directory, ERASURES_FILE), "utf8");
    expect(beside.trim().split("\n")).toHaveLength(2);
    expect(beside).not.toContain(account);
    // The disk is lost: only the backup folder remains.
    await during((database) => database.unhurried((tx) => tx.execute(sql`delete from backup.erasure`)));
    const report = await backups.restoreFrom(file, { replace: true });
    expect(report.endedAgain).toEqual({ accounts: 1, consents: 1 });
    expect(await read(`select ${count} from identity.users where id = '${account}'`)).toEqual([{ count: 0 }]);
    expect(await read(`select ${count} from identity.users where id = '${stays}'`)).toEqual([{ count: 1 }]);
    expect(await read(`select ${count} from identity.audit_events where account_id = '${account}'`)).toEqual([
      { count: 0 },
    ]);
    const told =
      "select event->>'type' as type, coalesce(event->>'invitationId', event->>'accountId') as id from events.outbox";
    expect(await read(`${told} where event->>'type' in ('identity.deleted', 'invitations.ended') order by 1`)).toEqual([
      { type: "identity.deleted", id: account },
      { type: "invitations.ended", id: invitation },
    ]);
    expect(await read(`select state, token_hash from invitations.invitation where id = '${invitation}'`)).toEqual([
      { state: "withdrawn", token_hash: null },
    ]);
    // The marks are in the database again, and in the next backup.
    expect(await read(`select ${count} from backup.erasure where mark <> 'x'`)).toEqual([{ count: 6 }]);
  }, 60_000);

  test("a copy from before is recognised at the start by the erasures beside the backups, and settled once", async () => {
    const { config, backups, read, during } = await installation();
    expect(await backups.settleCopy(false)).toBeUndefined();
    const [account, invitation] = [idOf("users", 1), idOf("invitation", 2)];
    await during(async (database) => {
      const plain = (await postgresDatabase(database, postgresEvents)).transactionOf((tx: Database) => tx);
      const { note } = erasuresOf(config, plain, { mac, report: () => {} });
      await note("account", account);
      await note("consent", invitation);
      // What a snapshot from before has.
      await database.unhurried((tx) => tx.execute(sql`delete from backup.erasure`));
      await database.unhurried((tx) =>
        tx.execute(
          sql`update notifications.delivery set state = 'due', lease_token = null, lease_until = null, about = '{"kind":"test"}'`,
        ),
      );
    });
    expect(await backups.settleCopy(false)).toMatchObject({
      held: 4,
      endedAgain: { accounts: 1, consents: 1 },
      voided: { "identity.sessions": expect.any(Number) },
    });
    expect(await read(`select ${count} from identity.sessions`)).toEqual([{ count: 0 }]);
    expect(await read(`select ${count} from identity.users where id = '${account}'`)).toEqual([{ count: 0 }]);
    const repeated = "select distinct event->>'repeated' as repeated from events.outbox";
    const ended = "event->>'type' in ('identity.deleted', 'invitations.ended')";
    expect(await read(`${repeated} where ${ended}`)).toEqual([{ repeated: "true" }]);
    expect(await backups.settleCopy(false)).toBeUndefined();
    // The operator knows better.
    expect(await backups.settleCopy(true)).toMatchObject({ held: 4, endedAgain: { accounts: 0, consents: 0 } });
  }, 60_000);

  test("a read-only folder does not prevent deleting an account", async () => {
    const { config, during, read } = await installation();
    writeFileSync(config.backup.directory, "a file where the folder should be");
    const reports: unknown[] = [];
    await during(async (database) => {
      const plain = (await postgresDatabase(database, postgresEvents)).transactionOf((tx: Database) => tx);
      await erasuresOf(config, plain, { mac, report: (error) => void reports.push(error) }).note(
        "account",
        idOf("users", 1),
      );
    });
    expect(reports).toHaveLength(1);
    expect(existsSync(join(config.backup.directory, ERASURES_FILE))).toBe(false);
    expect(await read(`select ${count} from backup.erasure`)).toEqual([{ count: 5 }]);
  });
});
