// Stores the schema of a release, with rows in every table, for the upgrade tests:
//   bun test/releases/make.ts 0006_operations
import { existsSync } from "node:fs";
import { applyMigrations, migrationsIn } from "../../src/backup/schema.ts";
import { backupTo } from "../../src/backup/write.ts";
import { cleared, MIGRATIONS, openNew, writing } from "../backup/stage.ts";
import { fillEveryTable } from "../support/filled.ts";
import { fileOf } from "./releases.ts";

const ROWS = 4;

for (const release of process.argv.slice(2)) {
  const known = migrationsIn(MIGRATIONS);
  const last = known.findIndex(({ tag }) => tag === release);
  if (last < 0) throw new Error(`There is no migration "${release}"`);
  if (existsSync(fileOf(release)))
    throw new Error(`"${fileOf(release)}" is there already: what was released does not change`);
  const database = await openNew("postgres", "none");
  await database.unhurried(async (tx) => {
    await applyMigrations(tx, known.slice(0, last + 1));
    await fillEveryTable(tx, ROWS);
  });
  const { rows, bytes } = await backupTo(database, fileOf(release), writing);
  console.log(`${release}: ${rows} rows, ${bytes} bytes`);
}
await cleared();
process.exit(0);
