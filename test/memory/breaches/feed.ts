import type { Breach } from "../../../src/breaches/catalogue/breach.ts";
import type { BreachFeed, SourceTrouble } from "../../../src/breaches/ports.ts";
import { type MemoryDomainLookups, memoryDomainLookups } from "./domain_lookups.ts";
import { type MemoryTraceSource, memoryTraceSource } from "./trace_source.ts";

type Call = "latest" | "catalogue" | "breach" | "lookUp";

export type MemoryFeedOptions = {
  breaches?: Breach[];
  /** Breach names by normalised address; a name need not be in the catalogue. */
  exposures?: Record<string, string[]>;
  pollEveryMs?: number;
  source?: string;
  naming?: BreachFeed["naming"];
};

export type MemoryFeed = BreachFeed & {
  readonly traces: MemoryTraceSource;
  readonly domains: MemoryDomainLookups;
  /** Adds entries to the catalogue, or replaces those with the same name. */
  publish(...breaches: Breach[]): void;
  /** Removes entries from the catalogue. */
  withdraw(...names: string[]): void;
  /** From now on the address is in these breaches, too. */
  expose(address: string, ...names: string[]): void;
  /** The source does not support this address. */
  refuse(address: string): void;
  /** The number of unreadable entries in the catalogue. */
  breakEntries(count: number): void;
  /** The next calls of this kind fail with these errors, one each. */
  failNext(call: Call, ...troubles: SourceTrouble[]): void;
  /** All calls so far, in order, with their argument. */
  readonly requests: readonly { call: Call; about?: string }[];
};

/** A scripted breach source without a network. */
export function memoryFeed({
  breaches = [],
  exposures = {},
  pollEveryMs = 60_000,
  source = "memory",
  naming = "hibp",
}: MemoryFeedOptions = {}): MemoryFeed {
  const listed = new Map(breaches.map((breach) => [breach.name, structuredClone(breach)]));
  const found = new Map(Object.entries(exposures).map(([address, names]) => [address, new Set(names)]));
  const troubles: Record<Call, SourceTrouble[]> = { latest: [], catalogue: [], breach: [], lookUp: [] };
  const requests: { call: Call; about?: string }[] = [];
  const refused = new Set<string>();
  let leftOut: string[] = [];

  function troubleOf(call: Call, about?: string): SourceTrouble | undefined {
    requests.push({ call, ...(about !== undefined && { about }) });
    return troubles[call].shift();
  }

  return {
    source,
    naming,
    isMatched: false,
    demonstration: true,
    pollEveryMs,
    requests,
    traces: memoryTraceSource(),
    domains: memoryDomainLookups(),

    async latest() {
      const trouble = troubleOf("latest");
      if (trouble) return trouble;
      const [first, ...others] = listed.values();
      if (first === undefined)
        return { kind: "later", afterMs: pollEveryMs, reason: "The source has published nothing" };
      const { name, addedDate } = others.reduce(
        (newest, other) => (newest.addedDate >= other.addedDate ? newest : other),
        first,
      );
      return { kind: "latest", name, addedDate };
    },

    async catalogue() {
      return (
        troubleOf("catalogue") ?? {
          kind: "catalogue",
          breaches: structuredClone([...listed.values()]),
          leftOut: [...leftOut],
        }
      );
    },

    async breach(name) {
      return troubleOf("breach", name) ?? { kind: "breach", breach: structuredClone(listed.get(name)) };
    },

    async lookUp(address) {
      const trouble = troubleOf("lookUp", address);
      if (trouble === undefined && refused.has(address)) return { kind: "unsupported" };
      return trouble ?? { kind: "found", breaches: [...(found.get(address) ?? [])] };
    },

    publish(...added) {
      for (const breach of added) listed.set(breach.name, structuredClone(breach));
    },

    withdraw(...names) {
      for (const name of names) listed.delete(name);
    },

    expose(address, ...names) {
      found.set(address, new Set([...(found.get(address) ?? []), ...names]));
    },

    refuse(address) {
      refused.add(address);
    },

    breakEntries(count) {
      leftOut = Array.from({ length: count }, (_, place) => `Broken${place}`);
    },

    failNext(call, ...more) {
      troubles[call].push(...more);
    },
  };
}
