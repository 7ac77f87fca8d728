import type { BreachFacts, PasswordStorage } from "../../shared/breach.ts";
import { SOURCE_MARK } from "../../shared/sources.ts";

/** One entry of a source's catalogue. `description` is the source's HTML, never shown unsanitised. */
export type Breach = Omit<BreachFacts, "logo" | "passwordStorage" | "manyServices"> & {
  modifiedDate: string;
  description: string;
  logoPath: string;
  attribution: string | undefined;
  disclosureUrl: string | undefined;
  /** How passwords were kept, where the source says it by itself; others say it in their description at most. */
  storageSaid?: Exclude<PasswordStorage, "unknown">;
};

/** Text that is equal exactly when the content is: a source's own "modified" date does not move with every change. */
export function contentOf(breach: Breach): string {
  return JSON.stringify([
    breach.title,
    breach.domain,
    breach.breachDate,
    breach.addedDate,
    breach.modifiedDate,
    breach.dataClasses,
    breach.flags,
    breach.pwnCount,
    breach.description,
    breach.logoPath,
    breach.attribution ?? null,
    breach.disclosureUrl ?? null,
    // Most sources never say it: their entries keep the content they had before there was this field.
    ...(breach.storageSaid ? [breach.storageSaid] : []),
  ]);
}

/** What decides whether entries of two sources are the same breach. */
export type AlikeBreach = Pick<Breach, "name" | "title" | "domain" | "breachDate" | "flags"> & {
  sameAs: string | undefined;
};

/** How a source's breach is called here: HIBP's names as they are, others behind the name of their source. */
export function keyOf({ source, naming }: { source: string; naming: "hibp" | "own" }, name: string): string {
  return naming === "hibp" ? name : `${source}${SOURCE_MARK}${name}`;
}

/** The source that a breach is named after and its name there; no source for one of HIBP's names. */
export function nameOf(key: string): { source: string | undefined; name: string } {
  const mark = key.indexOf(SOURCE_MARK);
  return mark < 0 ? { source: undefined, name: key } : { source: key.slice(0, mark), name: key.slice(mark + 1) };
}

/** Stands for the hash of an entry that a check has met before any catalogue listed it. */
export const NOT_LISTED_YET = "";

/** Names that are new, changed or gone, by content hash. */
export function compareCatalogues(stored: Map<string, string>, listed: Map<string, string>) {
  const added: string[] = [];
  const changed: string[] = [];
  for (const [name, hash] of listed) {
    const before = stored.get(name);
    // Met by one check only: for everybody else it is news.
    if (before === undefined || before === NOT_LISTED_YET) added.push(name);
    else if (before !== hash) changed.push(name);
  }
  const removed = [...stored].flatMap(([name, hash]) => (hash === NOT_LISTED_YET || listed.has(name) ? [] : name));
  return { added, changed, removed };
}
