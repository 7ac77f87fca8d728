import { existsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { LastBackup } from "../backup/ports.ts";
import { type BackupStatus, isOverdue } from "../backup/schedule.ts";
import type { DatabaseContext } from "./command.ts";
import { writable } from "./doctor_directory.ts";
import { type Finding, fail, finding, ok, warn } from "./doctor_finding.ts";
import { bytes, duration } from "./words.ts";

const MAKE_ONE = "Look at the server's log, then make one with breachbell backup";

/** Whether the last backup is still where it was written, and complete. */
function fileFinding({ file, bytes: written }: LastBackup): Finding | undefined {
  if (!existsSync(file))
    return fail(
      `The last backup is no longer at ${file}`,
      "Restore that file from your copy, or make one with breachbell backup",
    );
  if (statSync(file).size !== written)
    return fail(`${file} has changed since it was written`, "Run breachbell backup verify on it, and make a new one");
  return undefined;
}

function lastFinding(status: BackupStatus, now: Date): Finding {
  const { scheduled, last, machine } = status;
  const level = isOverdue(status, now) ? "fail" : "ok";
  if (!last) {
    const says = scheduled ? "No backup has been made yet: one is made every day" : "No backup has been made";
    return finding(scheduled ? level : "warn", says, MAKE_ONE);
  }
  const isHere = last.machine === machine;
  const broken = isHere ? fileFinding(last) : undefined;
  if (broken) return broken;
  const place = isHere ? dirname(last.file) : `${dirname(last.file)} on ${last.machine}`;
  return finding(
    level,
    `The last one was made and verified ${duration(now.getTime() - last.at.getTime())} ago: ${bytes(last.bytes)} in ${place}`,
    MAKE_ONE,
  );
}

/** The age, size and state of the last backup. Backups are verified when they are written. */
export async function checkBackups({ backups, config, database }: DatabaseContext): Promise<Finding[]> {
  const status = await backups.status(await database());
  const { scheduled, directory, last, failure } = status;
  const isOnServer = config.database.kind === "server";
  if (!scheduled && !last && isOnServer) return [ok("They are left to the database server: BACKUP_AT=off")];
  const list = [lastFinding(status, new Date())];
  if (!scheduled && !isOnServer)
    list.push(
      warn("No daily backup is scheduled", "Remove BACKUP_AT=off, or run breachbell backup on a schedule of your own"),
    );
  // A missing folder is made by the next backup.
  const place = existsSync(directory) ? writable(directory) : undefined;
  if (scheduled && place?.state === "fail") list.push(place);
  if (failure) list.push(fail(`The last attempt failed: ${failure.says}`, MAKE_ONE));
  return list;
}
