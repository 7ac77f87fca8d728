import { resolve } from "node:path";
import { isNotEmpty } from "../backup/format.ts";
import type { CopyReport, RestoreReport } from "../backup/restore.ts";
import { done, facts, failed, type Progress, table, text } from "./answer.ts";
import type { DatabaseContext } from "./command.ts";
import { command } from "./command.ts";
import { openAppContext } from "./rooms.ts";
import { bytes, many, minute } from "./words.ts";

type Rows = { table: string; rows: number; of?: number };
const progressOf = ({ table: name, rows, of }: Rows): Progress => ({
  done: rows,
  total: of,
  says: `${many(rows, "row")}, at ${name}`,
});

/** Writes the audit entry into the database that exists after the command, which may be the restored one. */
async function audited(bench: DatabaseContext, act: "backup_made" | "backup_restored", id: string): Promise<void> {
  const object = { kind: "installation", id: "backup" } as const;
  if (bench.audit) return bench.audit(act, object, { file: id });
  await bench.letGo();
  const { room, close } = await openAppContext(bench.config, bench);
  try {
    await room.audit(act, object, { file: id });
  } finally {
    await close();
  }
}

const IDENTITY = {
  kind: "text",
  value: "file",
  says: "the file with the private key, if the backup is encrypted",
} as const;
const identityOf = ({ directory }: DatabaseContext, { identity }: { identity?: string | undefined }) =>
  identity === undefined ? undefined : resolve(directory, identity);

const nameOf = (file: string) => file.split("/").at(-1) ?? file;

const make = command({
  name: "backup",
  says: "Write a consistent backup of the whole database, while the server runs",
  more: "Without a file name, it goes into BACKUP_DIR, named by its time. It can only be read with the same APP_SECRET, so keep that too.",
  arguments: [{ name: "file", says: "where to write it", optional: true }],
  examples: ["backup", "backup /mnt/safe/breachbell.backup"],
  room: "database",
  changes: true,
  async run(bench, { arguments: [typed] }) {
    const file = typed === undefined ? undefined : resolve(bench.directory, typed);
    await bench.letGo();
    const report = await bench.backups.backupTo(file, (rows) => bench.progress(progressOf(rows)));
    await audited(bench, "backup_made", nameOf(report.file));
    const { tables: _, ...data } = report;
    return done(
      data,
      facts([
        ["file", report.file],
        ["size", bytes(report.bytes)],
        ["rows", String(report.rows)],
        ["schema", String(report.schema)],
        ["took", `${report.seconds} s`],
      ]),
      text("Check it with: breachbell backup verify <file>", "dim"),
    );
  },
});

const verify = command({
  name: "backup verify",
  says: "Verify that a backup is complete",
  arguments: [{ name: "file", says: "the backup" }],
  options: { identity: IDENTITY },
  examples: ["backup verify /mnt/safe/breachbell.backup"],
  room: "database",
  async run(bench, { arguments: [typed = ""], options }) {
    const report = await bench.backups.verifyBackup(resolve(bench.directory, typed), {
      identity: identityOf(bench, options),
      onProgress: (rows) => bench.progress(progressOf(rows)),
    });
    const rows = report.tables.map(({ name, rows: count }) => [name, String(count)]);
    return done(
      report,
      table(["TABLE", "ROWS"], rows, "It is empty."),
      text(`Whole: ${many(report.rows, "row")}, made ${minute(report.madeAt)} UTC by ${report.product}.`, "good"),
    );
  },
});

const status = command({
  name: "backup status",
  says: "Show when the last backup was made, and whether scheduled backups are on",
  examples: ["backup status"],
  room: "database",
  async run(bench) {
    const found = await bench.backups.status(await bench.database());
    const { scheduled, directory, machine, last, failure } = found;
    const place = last && (last.machine === machine ? last.file : `${last.file} on ${last.machine}`);
    const data = {
      scheduled,
      directory,
      since: found.since,
      lastAt: last?.at,
      lastFile: last?.file,
      lastMachine: last?.machine,
      bytes: last?.bytes,
      rows: last?.rows,
      seconds: last?.seconds,
      trouble: failure?.says,
      troubleAt: failure?.at,
    };
    return done(
      data,
      facts([
        ["scheduled", scheduled ? "yes" : { text: "no: BACKUP_AT=off", tone: "warn" }],
        ["folder", directory],
        ["last", last ? `${minute(last.at.toISOString())} UTC, ${place}` : { text: "none", tone: "warn" }],
        ["size", last ? bytes(last.bytes) : "–"],
        ["trouble", failure ? { text: failure.says, tone: "bad" } : "none"],
      ]),
    );
  },
});

export const backup = [make, verify, status];

function factsOfCopy({ voided, held, endedAgain }: CopyReport): [string, string][] {
  return [
    ...Object.entries(voided).map(([name, count]): [string, string] => [`void: ${name}`, String(count)]),
    ["held back", many(held, "message")],
    ["ended again", `${many(endedAgain.accounts, "account")}, ${many(endedAgain.consents, "consent")}`],
  ];
}

const LOOK_AT_HELD = "Look at what is held back with: breachbell deliveries";

export const restored = command({
  name: "restored",
  says: "Make a database safe that came back from pg_dump or from a snapshot",
  more: "Run it before the server starts. As after breachbell restore, everyone has to log in again, links and codes of that time stop working, every waiting message is held back (breachbell deliveries release), and accounts deleted since are deleted again, as far as erasures.txt in BACKUP_DIR names them.",
  examples: ["restored"],
  room: "database",
  changes: true,
  asks: () => "Every session ends and every waiting message is held back. Is this database a restored copy?",
  async run(bench) {
    if (bench.isServer)
      return failed("SERVER_RUNNING", "The server is using this database: stop it, run this, start it again");
    await bench.letGo();
    const report = await bench.backups.settleCopy(true);
    if (!report) throw new Error("Nothing was settled");
    await audited(bench, "backup_restored", "a copy");
    return done(report, facts(factsOfCopy(report)), text(LOOK_AT_HELD, "dim"));
  },
});

export const restore = command({
  name: "restore",
  says: "Replace the database with a backup",
  more: "The server has to be stopped. Everyone has to log in again, links and codes from the backup stop working, waiting messages are held back (breachbell deliveries release), and accounts deleted since are deleted again.",
  arguments: [{ name: "file", says: "the backup" }],
  options: {
    replace: { kind: "flag", says: "even if the database is not empty: its data is lost" },
    identity: IDENTITY,
  },
  examples: ["restore /mnt/safe/breachbell.backup --replace"],
  room: "database",
  changes: true,
  asks: ({ options }) => (options.replace ? "Everything in the database now is lost. Restore the backup?" : undefined),
  async run(bench, { arguments: [typed = ""], options }) {
    if (bench.isServer)
      return failed("SERVER_RUNNING", "The server is using this database: stop it, restore, start it again");
    const file = resolve(bench.directory, typed);
    await bench.letGo();
    let report: RestoreReport;
    try {
      const onProgress = (rows: Rows) => bench.progress(progressOf(rows));
      report = await bench.backups.restoreFrom(file, {
        replace: options.replace,
        identity: identityOf(bench, options),
        onProgress,
      });
    } catch (error) {
      if (!isNotEmpty(error)) throw error;
      return failed(
        "NOT_EMPTY",
        "The database is not empty: with --replace all that is in it is lost. Make a backup of it first",
      );
    }
    await audited(bench, "backup_restored", nameOf(file));
    const { tables: _, ...data } = report;
    return done(
      data,
      facts([
        ["rows", String(report.rows)],
        ["of", `${minute(report.madeAt)} UTC`],
        ["migrated", report.migrated.length === 0 ? "nothing was missing" : report.migrated.join(", ")],
        ...factsOfCopy(report),
        ["took", `${report.seconds} s`],
      ]),
      text(LOOK_AT_HELD, "dim"),
    );
  },
});
