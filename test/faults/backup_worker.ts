// Makes backups in a loop until it is killed: `bun backup_worker.ts <database> <file>`.

import { backupTo } from "../../src/backup/write.ts";
import { openPglite } from "../../src/database/pglite.ts";
import { openServer } from "../../src/database/server.ts";
import { writing } from "../backup/stage.ts";

const [, , database = "", file = ""] = process.argv;
const opened = database.includes("://") ? await openServer(database, undefined) : await openPglite(database, undefined);
console.log("ready");
for (;;) {
  await backupTo(opened, file, writing);
  console.log("made");
}
