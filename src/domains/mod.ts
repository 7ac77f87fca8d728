import { asking } from "./asking.ts";
import { claimChanges } from "./claim_changes.ts";
import { claims } from "./claims.ts";
import { domainCsv } from "./domain_csv.ts";
import { people } from "./people.ts";
import type { DomainDeps } from "./ports.ts";
import { proofCodes } from "./proof_codes.ts";
import { proofLooks } from "./proof_looks.ts";
import { records } from "./records.ts";
import { showing } from "./showing.ts";
import { telling } from "./telling.ts";

export type { DomainDeps, DomainStore } from "./ports.ts";

/**
 * Whole mail domains: their proof (`claims.ts`, `proof_looks.ts`, `proof_codes.ts`), what sources and lists find at them
 * (`asking.ts`), what an administrator sees (`showing.ts`) and is told (`telling.ts`), and what the people behind the addresses decide (`people.ts`).
 */
export function createDomains(deps: DomainDeps) {
  const changes = claimChanges(deps);
  const { mailCode, ...codes } = proofCodes(deps, changes);
  return {
    ...claims(deps),
    ...codes,
    ...proofLooks(deps, { ...changes, mailCode }),
    ...asking(deps),
    ...showing(deps),
    ...domainCsv(deps),
    ...people(deps),
    ...telling(deps),
    ...records(deps),
  };
}

export type Domains = ReturnType<typeof createDomains>;
