import type { BreachFacts, PasswordStorage } from "../../shared/breach.ts";
import { SOURCE_MARK } from "../../shared/sources.ts";

/** An entry of a source's catalogue. `description` is the source's HTML and must be sanitized before it is shown. */
export type Breach = Omit<BreachFacts, "logo" | "passwordStorage" | "manyServices"> & {
  modifiedDate: string;
  description: string;
  logoPath: string;
  attribution: string | undefined;
  disclosureUrl: string | undefined;
  /** How passwords were stored, if the source has a field for it; others mention it in their description at most. */
  storageSaid?: Exclude<PasswordStorage, "unknown">;
};

/** Canonical text for comparing content, as a source's "modified" date does not move with every change. */
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
    // Added only when set, so that the hashes of other entries did not change when the field was introduced.
    ...(breach.storageSaid ? [breach.storageSaid] : []),
  ]);
}

/** The fields that decide whether entries of two sources are the same breach. */
export type AlikeBreach = Pick<Breach, "name" | "title" | "domain" | "breachDate" | "flags"> & {
  sameAs: string | undefined;
};

/** The key of a source's breach: HIBP's names unchanged, others prefixed by their source. */
export function keyOf({ source, naming }: { source: string; naming: "hibp" | "own" }, name: string): string {
  return naming === "hibp" ? name : `${source}${SOURCE_MARK}${name}`;
}

/** The source and its name for the breach; no source for one of HIBP's names. */
export function nameOf(key: string): { source: string | undefined; name: string } {
  const mark = key.indexOf(SOURCE_MARK);
  return mark < 0 ? { source: undefined, name: key } : { source: key.slice(0, mark), name: key.slice(mark + 1) };
}

/** Placeholder hash of an entry that a check has found before any catalogue listed it. */
export const NOT_LISTED_YET = "";

/** Stands for an entry of which only the name is known, as a check has found it before any source explained it. */
export function standIn(name: string, at: Date): Breach {
  return {
    name,
    title: name,
    domain: "",
    breachDate: null,
    addedDate: at.toISOString(),
    modifiedDate: at.toISOString(),
    dataClasses: [],
    flags: [],
    pwnCount: 0,
    description: "",
    logoPath: "",
    attribution: undefined,
    disclosureUrl: undefined,
  };
}

export function isStandIn({ title, name, dataClasses, description, pwnCount }: Breach): boolean {
  return name.endsWith(title) && dataClasses.length === 0 && description === "" && pwnCount === 0;
}

/** The entry that was added last. */
export function newestOf([first, ...others]: Breach[]): Breach | undefined {
  return others.reduce((newest, breach) => (newest && newest.addedDate >= breach.addedDate ? newest : breach), first);
}

/** Compares by content hash: names that were added, changed or removed. */
export function compareCatalogues(stored: Map<string, string>, listed: Map<string, string>) {
  const added: string[] = [];
  const changed: string[] = [];
  for (const [name, hash] of listed) {
    const before = stored.get(name);
    // Placeholders count as new, as only one check has met them.
    if (before === undefined || before === NOT_LISTED_YET) added.push(name);
    else if (before !== hash) changed.push(name);
  }
  const removed = [...stored].flatMap(([name, hash]) => (hash === NOT_LISTED_YET || listed.has(name) ? [] : name));
  return { added, changed, removed };
}
