import type { TermsAcceptance, TermsAcceptanceRepository } from "../../../src/identity/account/terms_ports.ts";
import type { MemoryTables } from "../database.ts";

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
