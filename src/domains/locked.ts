import type { Domain } from "./domain.ts";
import type { DomainStore } from "./ports.ts";

/** The claim as it is once its domain is locked: nothing else changes it, its people or what is due until the transaction ends. */
export async function findLocked(
  { domains }: Pick<DomainStore, "domains">,
  accountId: string,
  id: string,
): Promise<Domain | undefined> {
  const found = await domains.find(accountId, id);
  if (!found) return undefined;
  await domains.lockName(found.name);
  return domains.find(accountId, id);
}
