import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Directories, Directory, ServiceDirectories } from "../../ports.ts";

type Snapshot<Entry> = { date: string; rows: (Entry & { domains: string[] })[] };
type EntryOf<Name extends keyof Directories> = Directories[Name] extends Directory<infer Entry> ? Entry : never;

async function directory<Entry>(file: string): Promise<Directory<Entry>> {
  const text = await readFile(join(import.meta.dirname, file), "utf8");
  const { date, rows } = JSON.parse(text) as Snapshot<Entry>;
  return { asOf: date, entries: new Map(rows.flatMap((row) => row.domains.map((domain) => [domain, row] as const))) };
}

/** The snapshots beside this file, read when they are first needed; `bun run refresh-directories` makes them. */
export function bundledDirectories(): ServiceDirectories {
  let directories: Promise<Directories> | undefined;
  async function readAll(): Promise<Directories> {
    const [deletion, secondStep, passkeys] = await Promise.all([
      directory<EntryOf<"deletion">>("deletions.json"),
      directory<EntryOf<"secondStep">>("second_steps.json"),
      directory<EntryOf<"passkeys">>("passkeys.json"),
    ]);
    return { deletion, secondStep, passkeys };
  }
  return {
    read() {
      directories ??= readAll();
      return directories;
    },
  };
}
