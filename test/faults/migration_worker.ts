// Opens a database as on start-up; with a number, kills itself at that statement of the migration, as `kill -9` would.
//   bun migration_worker.ts <database> [statement]
import { PgDatabase } from "drizzle-orm/pg-core";
import { openPglite } from "../../src/database/pglite.ts";
import { openServer } from "../../src/database/server.ts";
import { MIGRATIONS } from "../backup/stage.ts";

const [, , database = "", killAt] = process.argv;
let statements = 0;
const { execute } = PgDatabase.prototype;
PgDatabase.prototype.execute = function (this: typeof PgDatabase.prototype, query: Parameters<typeof execute>[0]) {
  const running = execute.call(this, query);
  statements += 1;
  // Half of them before the database has responded.
  if (String(statements) === killAt) {
    if (statements % 2 === 0) process.kill(process.pid, "SIGKILL");
    return Promise.resolve(running).then(() => process.kill(process.pid, "SIGKILL")) as never;
  }
  return running as never;
} as typeof execute;

const opened = database.includes("://")
  ? await openServer(database, MIGRATIONS)
  : await openPglite(database, MIGRATIONS);
await opened.close();
console.log(String(statements));
process.exit(0);
