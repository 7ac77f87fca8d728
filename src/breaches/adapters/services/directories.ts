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

/** Reads when it is first asked. */
function once<Value>(read: () => Promise<Value>): () => Promise<Value> {
  let reading: Promise<Value> | undefined;
  return () => {
    reading ??= read();
    return reading;
  };
}

/** The snapshots of companies and authorities. */
export function bundledLetterDirectories(): LetterDirectories {
  return {
    companies: once(() => contactsBy("companies.json", ({ domains = [] }) => domains)),
    authorities: once(() => contactsBy("authorities.json", ({ countries }) => countries)),
  };
}

/** The snapshots beside this file, which `bun run refresh-directories` makes. */
export function bundledDirectories(): ServiceDirectories {
  async function readAll(): Promise<Directories> {
    const [deletion, secondStep, passkeys] = await Promise.all([
      directory<EntryOf<"deletion">>("deletions.json"),
      directory<EntryOf<"secondStep">>("second_steps.json"),
      directory<EntryOf<"passkeys">>("passkeys.json"),
    ]);
    return { deletion, secondStep, passkeys };
  }
  return { read: once(readAll) };
}
