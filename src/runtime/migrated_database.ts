import { join } from "node:path";
import { nameOf } from "../backup/schedule.ts";
import { MIGRATIONS, openDatabase } from "../database/open.ts";
import { messageOf } from "../shared/connection_failure.ts";
import type { BackupSettings } from "./backups.ts";

/**
 * Opens the database and migrates it. What a migration is about to change is backed up first, unless backups are left to the
 * operator; without that backup nothing is migrated.
 */
export function openMigrated(config: BackupSettings): ReturnType<typeof openDatabase> {
  const { directory, atMinute, recipient } = config.backup;
  return openDatabase(config, MIGRATIONS, {
    async beforeMigrating(database) {
      if (atMinute === undefined) return;
      const { backupsOf } = await import("./backups.ts");
      try {
        await backupsOf(config, database).backupTo(join(directory, nameOf(new Date(), recipient !== undefined)));
      } catch (error) {
        throw new Error(
          `Cannot migrate without a backup: ${messageOf(error)}. Set BACKUP_AT=off if you have backups of your own`,
          { cause: error },
        );
      }
    },
  });
}
