import { desc, eq } from "drizzle-orm";
import type { Database } from "../../../database/postgres.ts";
import type { TermsAcceptanceRepository } from "../../account/terms_ports.ts";
import { termsAcceptancesTable } from "./tables.ts";

export function postgresTermsAcceptances(tx: Database): TermsAcceptanceRepository {
  const acceptances = termsAcceptancesTable;
  return {
    async add(acceptance) {
      const added = tx.insert(acceptances).values(acceptance).onConflictDoNothing();
      return (await added.returning({ version: acceptances.version })).length === 1;
    },
    list: (accountId) =>
      tx.select().from(acceptances).where(eq(acceptances.accountId, accountId)).orderBy(desc(acceptances.acceptedAt)),
  };
}
