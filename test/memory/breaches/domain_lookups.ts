import type { DomainLookups } from "../../../src/breaches/ports.ts";

type Calls = Required<DomainLookups>;
type Call = keyof Calls;
type Answer<C extends Call> = Awaited<ReturnType<Calls[C]>>;

export type MemoryDomainLookups = Calls & {
  /** The domains that the source has verified. A test may fill it, or have it filled by `finishVerification`. */
  readonly verified: Set<string>;
  /** Breaches, and sites in stealer logs, by address. */
  readonly breaches: Map<string, string[]>;
  readonly sites: Map<string, string[]>;
  /** The next calls of this kind have these results, one each. */
  answerNext<C extends Call>(call: C, ...answers: Answer<C>[]): void;
  /** How many entries the next answers could not read. */
  breakEntries(count: number): void;
  /** All calls with their domain, in order. */
  readonly asked: readonly string[];
};

/** A scripted source of breaches by domain. */
export function memoryDomainLookups(): MemoryDomainLookups {
  const verified = new Set<string>();
  const [breaches, sites] = [new Map<string, string[]>(), new Map<string, string[]>()];
  const next: { [C in Call]: Answer<C>[] } = {
    breachesOf: [],
    sitesOf: [],
    startVerification: [],
    finishVerification: [],
  };
  const asked: string[] = [];
  let leftOut = 0;

  function scripted<C extends Call>(call: C, domain: string): Answer<C> | undefined {
    asked.push(`${call} ${domain}`);
    return next[call].shift();
  }
  function found(at: Map<string, string[]>, domain: string) {
    if (!verified.has(domain)) return { kind: "unverified" as const };
    const entries = [...at].filter(([address]) => address.endsWith(`@${domain}`));
    const byAlias = new Map(
      entries.map(([address, values]) => [address.slice(0, address.lastIndexOf("@")), [...values]]),
    );
    return { kind: "found" as const, byAlias, leftOut };
  }

  return {
    verified,
    breaches,
    sites,
    asked,
    breachesOf: async (domain) => scripted("breachesOf", domain) ?? found(breaches, domain),
    sitesOf: async (domain) => scripted("sitesOf", domain) ?? found(sites, domain),
    startVerification: async (domain) =>
      scripted("startVerification", domain) ??
      (verified.has(domain) ? { kind: "verified" } : { kind: "record", value: `memory-verify=${domain}` }),
    async finishVerification(domain) {
      const out = scripted("finishVerification", domain);
      if (out) return out;
      verified.add(domain);
      return { kind: "verified" };
    },
    answerNext: (call, ...more) => void next[call].push(...more),
    breakEntries(count) {
      leftOut = count;
    },
  };
}
