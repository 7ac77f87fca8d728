// Writes the table of settings into the README, from the schema that reads them.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withSettingsTable } from "../src/config/settings_table.ts";

const path = join(import.meta.dirname, "../README.md");
writeFileSync(path, withSettingsTable(readFileSync(path, "utf8")));
