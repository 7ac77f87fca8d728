import { claimChanges } from "./claim_changes.ts";
import type { DomainDeps } from "./ports.ts";
import { proofCodes } from "./proof_codes.ts";
import { proofLooks } from "./proof_looks.ts";

/** The proofs of claims: published ones that are looked for, and codes that are mailed. */
export function proving(deps: DomainDeps) {
  const changes = claimChanges(deps);
  const { mailCode, ...codes } = proofCodes(deps, changes);
  return { ...codes, ...proofLooks(deps, { ...changes, mailCode }) };
}
