import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Writes a folder with one migration, as `drizzle-kit generate` would. */
export function migrationFolder(statements: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), "breachbell-migrations-"));
  const entries = [{ idx: 0, version: "7", when: 1, tag: "0000_init", breakpoints: true }];
  mkdirSync(join(folder, "meta"));
  writeFileSync(join(folder, "meta/_journal.json"), JSON.stringify({ version: "7", dialect: "postgresql", entries }));
  writeFileSync(join(folder, "0000_init.sql"), statements.join(";\n--> statement-breakpoint\n"));
  return folder;
}
