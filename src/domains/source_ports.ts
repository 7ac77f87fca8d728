/** Why a source gave no answer. Never means that an address is safe. */
export type SourceTrouble =
  | { kind: "later"; afterMs: number; reason: string; isRateLimit?: boolean }
  /** The operator has to act. */
  | { kind: "misconfigured"; reason: string };

/** Names by the part of each address before the "@", in lower case. `leftOut` counts what could not be read. */
export type FoundByAlias = { kind: "found"; byAlias: ReadonlyMap<string, string[]>; leftOut: number };

/** The sources that know whole domains. `source` is the name of one of them; domains are ASCII. */
export type DomainSources = {
  names(): string[];
  /** Incremented with each change of the source's catalogue: only then are domains asked about again. */
  generationOf(source: string): Promise<number>;
  /** The breaches, by the catalogue's names. `unverified`: the source does not know that the operator holds the domain. */
  breachesOf(source: string, domain: string): Promise<FoundByAlias | { kind: "unverified" } | SourceTrouble>;
  /** Websites in stealer logs; `none`: the source or its subscription has none. */
  sitesOf(
    source: string,
    domain: string,
  ): Promise<FoundByAlias | { kind: "unverified" } | { kind: "none" } | SourceTrouble>;
  /** The value of a TXT record by which the source verifies the domain; `by_operator`: only the operator can, at the source. */
  startVerification(
    source: string,
    domain: string,
  ): Promise<{ kind: "record"; value: string } | { kind: "by_operator" } | { kind: "verified" } | SourceTrouble>;
  finishVerification(
    source: string,
    domain: string,
  ): Promise<{ kind: "verified" } | { kind: "missing" } | { kind: "by_operator" } | SourceTrouble>;
};
