import { postgresBreaches } from "../../src/breaches/adapters/postgres.ts";
import type { Database, PostgresDatabase } from "../../src/database/postgres.ts";
import { usersTable } from "../../src/identity/adapters/postgres.ts";
import type { ContactAddress } from "../../src/shared/contacts.ts";
import { associationTable } from "../../src/tracking/adapters/postgres.ts";

const CHUNK = 50;

/** Accounts whose own address they watch; it was never checked, and hears of everything by mail and by `also`. */
export async function enrolPeople(
  database: PostgresDatabase,
  emails: string[],
  also: (email: string, accountId: string) => ContactAddress[] = () => [],
): Promise<void> {
  const transaction = database.transactionOf((tx: Database, events) => ({ tx, ...postgresBreaches(tx, events) }));
  for (let start = 0; start < emails.length; start += CHUNK)
    await transaction(async ({ tx, watches, scans }) => {
      for (const email of emails.slice(start, start + CHUNK)) {
        const [accountId, associationId, at] = [crypto.randomUUID(), crypto.randomUUID(), database.now()];
        await tx.insert(usersTable).values({
          ...{ id: accountId, email, firstName: "Grace", lastName: "Meyer", language: "en" },
          ...{ passwordHash: "none", createdAt: at, verifiedAt: at },
        });
        const contacts: ContactAddress[] = [{ channel: "email", value: email }, ...also(email, accountId)];
        await tx.insert(associationTable).values({
          ...{ id: associationId, accountId, address: email, owner: true, language: "en", contacts },
          ...{ paused: false, suspended: false, openAlerts: 0, openVersion: 0, createdAt: at },
        });
        const scope = { details: true, sensitive: true };
        await watches.add({ address: email, accountId, associationId, ...scope });
        await scans.add(email, ["hibp"], at);
      }
    });
}
