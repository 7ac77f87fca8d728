import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { BackupReport, OnProgress } from "./format.ts";
import { isPartial } from "./write.ts";

const DAY_MS = 86_400_000;
const STATUS_FILE = "status.json";
const NAME = /^breachbell-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.backup$/;

/** The state of backups for the doctor and the staff's overview; instants in ISO 8601. */
export type BackupStatus = {
  scheduled: boolean;
  directory: string;
  /** Since when backups are made here. */
  since?: string;
  lastAt?: string;
  lastFile?: string;
  bytes?: number;
  rows?: number;
  seconds?: number;
  /** Why the last attempt failed; cleared by the next success. */
  trouble?: string;
  troubleAt?: string;
};

export type ScheduleDeps = {
  directory: string;
  keep: { days: number; weeks: number };
  atMinute: number | undefined;
  backup(file: string, onProgress?: OnProgress): Promise<BackupReport>;
  now: () => Date;
};

export function nameOf(at: Date): string {
  return `breachbell-${at.toISOString().slice(0, 19).replaceAll(/[-:]/g, "")}Z.backup`;
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

/** Opens no database. */
export function readStatus({ directory, atMinute }: Pick<ScheduleDeps, "directory" | "atMinute">): BackupStatus {
  const path = join(directory, STATUS_FILE);
  const known = existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Partial<BackupStatus>) : {};
  return { ...known, scheduled: atMinute !== undefined, directory };
}

/** Makes scheduled backups, applies the retention, and records the outcome. */
export function backupSchedule({ directory, keep, atMinute, backup, now }: ScheduleDeps) {
  function write(status: Partial<BackupStatus>): void {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const path = join(directory, STATUS_FILE);
    writeFileSync(`${path}.new`, `${JSON.stringify(status, undefined, 2)}\n`, { mode: 0o600 });
    renameSync(`${path}.new`, path);
  }

  const status = () => readStatus({ directory, atMinute });

  /** Makes a backup now; with the default name, old ones beyond the retention are removed. */
  async function make(file?: string, onProgress?: OnProgress): Promise<BackupReport> {
    const at = now();
    const before = status();
    try {
      const report = await backup(file ?? join(directory, nameOf(at)), onProgress);
      if (file === undefined) {
        const { bytes, rows, seconds } = report;
        const since = before.since ?? at.toISOString();
        write({ since, lastAt: at.toISOString(), lastFile: report.file, bytes, rows, seconds });
        for (const name of superfluous(readdirSync(directory), keep)) rmSync(join(directory, name), { force: true });
      }
      return report;
    } catch (error) {
      const trouble = error instanceof Error ? error.message : String(error);
      if (file === undefined) write({ ...before, trouble, troubleAt: at.toISOString() });
      throw error;
    }
  }

  return {
    make,
    status,
    /** Makes a backup if one was due since the last; the first at its first scheduled time. */
    async runDue(): Promise<void> {
      if (atMinute === undefined) return;
      const { since, lastAt, troubleAt } = status();
      if (since === undefined) {
        write({ since: now().toISOString() });
        // Remove partial files of killed processes.
        for (const name of readdirSync(directory)) if (isPartial(name)) rmSync(join(directory, name), { force: true });
        return;
      }
      const due = lastDue(now(), atMinute).getTime();
      if (new Date(lastAt ?? since).getTime() >= due) return;
      // Retry hourly after a failure.
      if (troubleAt !== undefined && now().getTime() - new Date(troubleAt).getTime() < DAY_MS / 24) return;
      for (const name of readdirSync(directory)) if (isPartial(name)) rmSync(join(directory, name), { force: true });
      await make();
    },
  };
}

export type BackupSchedule = ReturnType<typeof backupSchedule>;
