import { accessSync, constants, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { messageOf } from "../shared/connection_failure.ts";
import type { Transaction } from "../shared/transaction.ts";
import { ENCRYPTED } from "./encryption.ts";
import type { BackupReport, OnProgress } from "./format.ts";
import type { BackupRecord, LastBackup, ScheduleStore } from "./ports.ts";
import { isPartial } from "./write.ts";

const DAY_MS = 86_400_000;
/** How long one process has for a backup, and how soon a failed one is tried again. */
const CLAIM_MS = DAY_MS / 24;
const OVERDUE_MS = 2 * DAY_MS;
const NAME = /^breachbell-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.backup(?:\.age)?$/;

/** The state of backups for the doctor and the staff's overview. `machine`: this one. */
export type BackupStatus = { scheduled: boolean; directory: string; machine: string } & Partial<BackupRecord>;

/** `waiting`: for the first one. `overdue`: none for two days, though one is made daily. */
export type BackupState = "off" | "waiting" | "made" | "overdue" | "failed";

type Place = { directory: string; machine: string; atMinute: number | undefined };
export type ScheduleDeps = Place & {
  keep: { days: number; weeks: number };
  /** Whether backups are encrypted. */
  isEncrypted: boolean;
  /** Where backups are in clear while they are encrypted or restored. */
  workDirectory: string;
  transaction: Transaction<ScheduleStore>;
  backup(file: string, onProgress?: OnProgress): Promise<BackupReport>;
  now: () => Date;
};

export function nameOf(at: Date, isEncrypted = false): string {
  const time = at.toISOString().slice(0, 19).replaceAll(/[-:]/g, "");
  return `breachbell-${time}Z.backup${isEncrypted ? ENCRYPTED : ""}`;
}

export function timeOf(name: string): Date | undefined {
  const [, ...parts] = NAME.exec(name) ?? [];
  if (parts.length === 0) return undefined;
  const [year, month, day, hour, minute, second] = parts;
  return new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
}

/** The latest scheduled time up to now. */
export function lastDue(now: Date, atMinute: number): Date {
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS + atMinute * 60_000;
  return new Date(today <= now.getTime() ? today : today - DAY_MS);
}

/** Backups beyond the retention: neither the last of a kept day nor the last of a kept week (from Monday). */
export function superfluous(names: string[], { days, weeks }: ScheduleDeps["keep"]): string[] {
  const newestFirst = names
    .filter((name) => timeOf(name))
    .toSorted()
    .toReversed();
  const kept = new Set<string>();
  function keepLastOf(count: number, periodOf: (time: number) => number): void {
    const periods = new Set<number>();
    for (const name of newestFirst) {
      const period = periodOf(timeOf(name)?.getTime() ?? 0);
      if (periods.has(period) || periods.size === count) continue;
      periods.add(period);
      kept.add(name);
    }
  }
  keepLastOf(days, (time) => Math.floor(time / DAY_MS));
  // The first day of 1970 was a Thursday.
  keepLastOf(weeks, (time) => Math.floor((time / DAY_MS + 3) / 7));
  return newestFirst.filter((name) => !kept.has(name));
}

/** What the installation's backups are, as read from its database. */
export async function statusOf(
  { directory, machine, atMinute }: Place,
  transaction: Transaction<ScheduleStore>,
): Promise<BackupStatus> {
  return { scheduled: atMinute !== undefined, directory, machine, ...(await transaction((store) => store.read())) };
}

/** Whether there should be a newer one: a daily backup that fails is tried again every hour. */
export function isOverdue({ scheduled, since, last }: BackupStatus, now: Date): boolean {
  const from = last?.at ?? since;
  return scheduled && from !== undefined && now.getTime() - from.getTime() > OVERDUE_MS;
}

export function stateOf(status: BackupStatus, now: Date): BackupState {
  if (!status.scheduled) return "off";
  if (status.failure) return "failed";
  if (isOverdue(status, now)) return "overdue";
  return status.last ? "made" : "waiting";
}

/** Makes scheduled backups, applies the retention, and records the outcome. */
export function backupSchedule({ directory, machine, keep, atMinute, isEncrypted, ...deps }: ScheduleDeps) {
  const { transaction, backup, now, workDirectory } = deps;

  /** Creates the directory, and removes what killed processes have left; throws if nothing can be written there. */
  function prepareDirectory(): void {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    accessSync(directory, constants.W_OK);
    for (const folder of [directory, workDirectory])
      for (const name of readdirSync(folder)) if (isPartial(name)) rmSync(join(folder, name), { force: true });
  }

  /** Writes a backup under its default name, and removes old ones beyond the retention. Records nothing. */
  async function write(onProgress?: OnProgress): Promise<BackupReport & { last: LastBackup }> {
    const at = now();
    const report = await backup(join(directory, nameOf(at, isEncrypted)), onProgress);
    for (const name of superfluous(readdirSync(directory), keep)) rmSync(join(directory, name), { force: true });
    const { file, bytes, rows, seconds } = report;
    return { ...report, last: { at, machine, file, bytes, rows, seconds: Math.ceil(seconds) } };
  }

  const record = (last: LastBackup) => transaction((store) => store.made(last));

  /** Makes a backup now; one with the default name is recorded as the last one. */
  async function make(file?: string, onProgress?: OnProgress): Promise<BackupReport> {
    if (file !== undefined) return backup(file, onProgress);
    const { last, ...report } = await write(onProgress);
    await record(last);
    return report;
  }

  async function failed(error: unknown): Promise<never> {
    await transaction((store) => store.failed({ says: messageOf(error), at: now() }));
    throw error;
  }

  return {
    write,
    record,
    make,
    /** Makes the backup that is due, unless another process does; the first at its first scheduled time. */
    async runDue(): Promise<void> {
      if (atMinute === undefined) return;
      await transaction((store) => store.begin(now()));
      const due = lastDue(now(), atMinute);
      const until = new Date(now().getTime() + CLAIM_MS);
      const record = await transaction((store) => store.read());
      if (!record || (record.last?.at ?? record.since) >= due) return;
      try {
        prepareDirectory();
      } catch (error) {
        // Without a claim, so that a process with a writable directory can make the backup.
        const isKnown = record.failure && now().getTime() - record.failure.at.getTime() < CLAIM_MS;
        return isKnown ? undefined : failed(error);
      }
      if (!(await transaction((store) => store.claim({ due, now: now(), until })))) return;
      await make().catch(failed);
    },
  };
}
