import type { LastBackup } from "../backup/ports.ts";
import { MIGRATIONS, openDatabase } from "../database/open.ts";
import { messageOf } from "../shared/connection_failure.ts";
import type { BackupSettings } from "./backups.ts";

/**
 * Opens the database and migrates it. What a migration is about to change is backed up first, unless backups are left to the
 * operator; without that backup nothing is migrated. It counts as the installation's last backup.
 */
export async function openMigrated(config: BackupSettings): ReturnType<typeof openDatabase> {
  const written: LastBackup[] = [];
  const database = await openDatabase(config, MIGRATIONS, {
    async beforeMigrating(earlier) {
      if (config.backup.atMinute === undefined) return;
      const { backupsOf } = await import("./backups.ts");
      try {
        written.push((await backupsOf(config, earlier).write()).last);
      } catch (error) {
        throw new Error(
          `Cannot migrate without a backup: ${messageOf(error)}. Set BACKUP_AT=off if you make your own backups`,
          { cause: error },
        );
      }
    },
  });
  try {
    for (const last of written) await (await import("./backups.ts")).backupsOf(config, database).record(last);
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}
