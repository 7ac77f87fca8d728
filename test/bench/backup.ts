import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { restoreFrom } from "../../src/backup/restore.ts";
import { backupTo } from "../../src/backup/write.ts";
import { openPglite } from "../../src/database/pglite.ts";
import { openServer } from "../../src/database/server.ts";
import { MIGRATIONS, mac, type Opened, sumsOf, writing } from "../backup/stage.ts";
import { temporaryDirectory } from "../e2e/product.ts";
import { createDatabase, sharedPostgresUrl } from "../support/postgres_server.ts";

export type BackupFigures = {
  database: "pglite" | "postgres";
  rows: number;
  megabytes: number;
  backupSeconds: number;
  restoreSeconds: number;
  /** The longest wait of a query while the backup was made. */
  longestWaitMs: number;
  isEqual: boolean;
};

/** Alerts, which make up most of a database. */
function fill(database: Opened, rows: number): Promise<unknown> {
  return database.unhurried((tx) =>
    tx.execute(sql`insert into breaches.alert
      (id, association_id, account_id, address, breach_name, state, baseline, raised_at, version)
      select gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'person' || number || '@example.org',
      'Adobe', 'pending', true, now(), 1 from generate_series(1, ${rows}) as number`),
  );
}

/** Runs one query after the other, and records the slowest response. */
function asking(database: Opened) {
  let longest = 0;
  let isOver = false;
  const work = (async () => {
    while (!isOver) {
      const from = performance.now();
      await database.transaction((tx) => tx.execute(sql`select 1`));
      longest = Math.max(longest, performance.now() - from);
      await Bun.sleep(5);
    }
    return longest;
  })();
  return {
    end() {
      isOver = true;
      return work;
    },
  };
}

/** Makes a backup of so many rows during queries, and restores it into an empty database of the same kind. */
export async function backupFigures(database: BackupFigures["database"], rows: number): Promise<BackupFigures> {
  const place = temporaryDirectory();
  const open = async (name: string, migrations?: string) =>
    database === "pglite"
      ? openPglite(join(place, name), migrations)
      : openServer(await createDatabase(await sharedPostgresUrl()), migrations);
  const file = join(place, "one.backup");
  const from = await open("from", MIGRATIONS);
  await fill(from, rows);
  const asked = asking(from);
  const made = await backupTo(from, file, writing);
  const longestWaitMs = Math.round(await asked.end());
  const before = await sumsOf(from);
  await from.close();
  const to = await open("to");
  const endAgain = async () => ({ accounts: 0, consents: 0 });
  const restored = await restoreFrom(to, file, { mac, migrations: MIGRATIONS, marks: new Set(), endAgain });
  const isEqual = JSON.stringify(await sumsOf(to)) === JSON.stringify(before);
  await to.close();
  const megabytes = Math.round(statSync(file).size / 1e5) / 10;
  rmSync(place, { recursive: true });
  const round = (seconds: number) => Math.round(seconds * 10) / 10;
  const seconds = { backupSeconds: round(made.seconds), restoreSeconds: round(restored.seconds) };
  return { database, rows, megabytes, ...seconds, longestWaitMs, isEqual };
}

/** As lines of `bun run bench`; the goals are those of the README. */
export async function backup(rows = 100_000): Promise<void> {
  for (const database of ["pglite", "postgres"] as const) {
    const figures = await backupFigures(database, rows);
    const pass = figures.isEqual && figures.restoreSeconds <= 300 && figures.longestWaitMs <= 1000;
    console.log(JSON.stringify({ line: "backup", ...figures, pass }));
    if (!pass) process.exitCode = 1;
  }
}

if (import.meta.main) {
  await backup(Number(process.env.ROWS ?? 100_000));
  process.exit();
}
