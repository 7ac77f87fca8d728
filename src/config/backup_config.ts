import { join, resolve } from "node:path";
import * as v from "valibot";
import { matching, type SettingsOf } from "./config_values.ts";
import type { WordsOf } from "./setting_words.ts";

/** Directory, retention and schedule of backups. */
export type BackupConfig = {
  directory: string;
  keep: { days: number; weeks: number };
  /** Minutes after midnight, UTC; undefined: only on request. */
  atMinute: number | undefined;
  /** The public key of age to which backups are encrypted. */
  recipient: string | undefined;
};

const entries = {
  BACKUP_DIR: v.optional(v.string()),
  BACKUP_KEEP: v.optional(matching(/^[1-9]\d{0,3}\s*,\s*\d{1,4}$/, 'must be days and weeks, such as "7,4"'), "7,4"),
  BACKUP_AT: v.optional(
    matching(/^(off|([01]\d|2[0-3]):[0-5]\d)$/, 'must be a time such as "03:15" (UTC), or "off"'),
    "03:15",
  ),
  BACKUP_RECIPIENT: v.optional(
    matching(/^age1[02-9ac-hj-np-z]{58}$/, "must be a public key as age-keygen prints it: age1…"),
  ),
};

/** Descriptions of the settings for the generated table. */
const words: WordsOf<typeof entries> = {
  BACKUP_DIR: { says: "the folder for backups", standard: "`DATA_DIR/backups`" },
  BACKUP_KEEP: { says: "how many daily and weekly backups are kept" },
  BACKUP_AT: {
    says: "the time of the daily backup (UTC), also made before each migration; `off` if you make your own backups",
    standard: "`03:15`",
  },
  BACKUP_RECIPIENT: { says: "encrypts backups to this public key of [age](https://age-encryption.org): `age1…`" },
};
type Settings = SettingsOf<typeof entries>;

export function backupOf(
  { BACKUP_DIR, BACKUP_KEEP, BACKUP_AT, BACKUP_RECIPIENT }: Settings,
  { dataDir }: { dataDir: string },
): BackupConfig {
  const [days = 7, weeks = 4] = BACKUP_KEEP.split(",").map(Number);
  const [hours = 0, minutes = 0] = BACKUP_AT.split(":").map(Number);
  return {
    directory: resolve(import.meta.dirname, "../..", BACKUP_DIR ?? join(dataDir, "backups")),
    keep: { days, weeks },
    atMinute: BACKUP_AT === "off" ? undefined : hours * 60 + minutes,
    recipient: BACKUP_RECIPIENT,
  };
}

export const backupSettings = { entries, words };
