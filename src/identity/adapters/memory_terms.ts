import type { MemoryTables } from "../../database/memory.ts";
import type { TermsAcceptance, TermsAcceptanceRepository } from "../terms_ports.ts";

export function memoryTermsAcceptances(tables: MemoryTables): TermsAcceptanceRepository {
  const acceptances = tables<TermsAcceptance>("identity.terms_acceptances");
  return {
    async add(acceptance) {
      const key = `${acceptance.accountId} ${acceptance.version}`;
      if (acceptances.get(key)) return false;
      acceptances.set(key, acceptance);
      return true;
    },
    async list(accountId) {
      const found = acceptances.filter((row) => row.accountId === accountId);
      return found.sort((one, other) => other.acceptedAt.getTime() - one.acceptedAt.getTime());
    },
  };
}
