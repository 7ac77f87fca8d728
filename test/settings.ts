// Writes the generated sections of the documents: the table of settings, the picture of the rooms, the list of
// commands.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { GENERATED } from "./support/generated.ts";

for (const [name, current] of Object.entries(GENERATED)) {
  const path = join(import.meta.dirname, "..", name);
  writeFileSync(path, current(readFileSync(path, "utf8")));
}
