import { existsSync, mkdirSync, renameSync } from "node:fs";
import { dirname } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { PREPARED_IMAGE } from "./pglite.ts";

// A separate script, so that the server does not keep the memory that `initdb` takes.
if (!existsSync(PREPARED_IMAGE)) {
  mkdirSync(dirname(PREPARED_IMAGE), { recursive: true });
  const client = await PGlite.create();
  await Bun.write(`${PREPARED_IMAGE}.${process.pid}`, await client.dumpDataDir("gzip"));
  renameSync(`${PREPARED_IMAGE}.${process.pid}`, PREPARED_IMAGE);
  await client.close();
}
