// Opens a data directory and writes one row after the other; prints each number once it is acknowledged.
import { sql } from "drizzle-orm";
import { openPglite } from "../../src/database/pglite.ts";
import { MIGRATIONS } from "../backup/stage.ts";

const directory = process.argv[2] ?? "";
const opened = await openPglite(directory, MIGRATIONS).catch((error: Error) => {
  console.error(error.message);
  process.exit(1);
});
console.log("ready");
for (;;) {
  const id = crypto.randomUUID();
  await opened.transaction((tx) =>
    tx.execute(sql`insert into identity.attempts (key, tries, until) values (${id}, 1, now())`),
  );
  console.log(id);
}
