import { postgresBreaches } from "../../src/breaches/adapters/postgres/store.ts";
import type { Database, PostgresDatabase } from "../../src/database/postgres.ts";
import { usersTable } from "../../src/identity/adapters/postgres/store.ts";
import { postgresNotifications } from "../../src/notifications/adapters/postgres/store.ts";
import { newContact } from "../../src/notifications/contacts/contact.ts";
import type { ContactAddress } from "../../src/shared/contacts.ts";
import { associationTable } from "../../src/tracking/adapters/postgres/store.ts";

const CHUNK = 50;
/** With this preference each severe alert is a separate message, however many are raised together. */
const settings = { digestBelow: "medium" } as const;

/** Accounts that track their own address, which was never checked, and receive everything by mail and by `also`. */
export async function enrolPeople(
  database: PostgresDatabase,
  emails: string[],
  also: (email: string, accountId: string) => ContactAddress[] = () => [],
): Promise<void> {
  const transaction = database.transactionOf((tx: Database, events) => ({
    tx,
    ...postgresBreaches(tx, events),
    notifications: postgresNotifications(tx, events),
  }));
  for (let start = 0; start < emails.length; start += CHUNK)
    await transaction(async ({ tx, watches, scans, notifications }) => {
      for (const email of emails.slice(start, start + CHUNK)) {
        const [accountId, associationId, at] = [crypto.randomUUID(), crypto.randomUUID(), database.now()];
        await tx.insert(usersTable).values({
          id: accountId,
          email,
          firstName: "Grace",
          lastName: "Meyer",
          language: "en",
          passwordHash: "none",
          createdAt: at,
          verifiedAt: at,
        });
        const contacts: ContactAddress[] = [{ channel: "email", value: email }, ...also(email, accountId)];
        await tx.insert(associationTable).values({
          id: associationId,
          accountId,
          address: email,
          owner: true,
          language: "en",
          contacts,
          paused: false,
          suspended: false,
          openAlerts: 0,
          openVersion: 0,
          createdAt: at,
        });
        const contact = { accountId, address: { channel: "email", value: email }, language: "en", own: true } as const;
        await notifications.contacts.add({ ...newContact({ ...contact, id: crypto.randomUUID(), now: at }), settings });
        const scope = { details: true, sensitive: true };
        await watches.add({ address: email, accountId, associationId, ...scope });
        await scans.add(email, ["hibp"], at);
      }
    });
}
