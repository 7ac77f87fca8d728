import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Authority } from "../../../shared/letters.ts";
import type { Directories, Directory, LetterDirectories, ListedCompany, ServiceDirectories } from "../../ports.ts";

type Snapshot<Entry> = { date: string; rows: (Entry & { domains: string[] })[] };
type EntryOf<Name extends keyof Directories> = Directories[Name] extends Directory<infer Entry> ? Entry : never;

async function directory<Entry>(file: string): Promise<Directory<Entry>> {
  const text = await readFile(join(import.meta.dirname, file), "utf8");
  const { date, rows } = JSON.parse(text) as Snapshot<Entry>;
  return { asOf: date, entries: new Map(rows.flatMap((row) => row.domains.map((domain) => [domain, row] as const))) };
}

type ListedContact = ListedCompany & Authority;
type ContactRow = Partial<Record<"email" | "webform" | "language" | "website", string>> &
  Pick<ListedContact, "name" | "address" | "countries"> & { domains?: string[] };

/** The contacts of a snapshot by each of these keys; a key can have several. */
async function contactsBy(file: string, keysOf: (row: ContactRow) => string[]) {
  const text = await readFile(join(import.meta.dirname, file), "utf8");
  const { date, rows } = JSON.parse(text) as { date: string; rows: ContactRow[] };
  const entries = new Map<string, ListedContact[]>();
  for (const row of rows) {
    const { name, address, countries, email = null, webform = null, language = null, website = null } = row;
    const contact = { name, address, countries, email, webform, language, website };
    for (const key of keysOf(row)) entries.set(key, [...(entries.get(key) ?? []), contact]);
  }
  return { asOf: date, entries };
}

/** The snapshots of companies and authorities, read when they are first needed. */
export function bundledLetterDirectories(): LetterDirectories {
  let companies: ReturnType<typeof contactsBy> | undefined;
  let authorities: ReturnType<typeof contactsBy> | undefined;
  return {
    companies() {
      companies ??= contactsBy("companies.json", ({ domains = [] }) => domains);
      return companies;
    },
    authorities() {
      authorities ??= contactsBy("authorities.json", ({ countries }) => countries);
      return authorities;
    },
  };
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
