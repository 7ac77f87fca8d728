import { newContact } from "../../src/notifications/contacts/contact.ts";
import { newDelivery } from "../../src/notifications/delivery/delivery.ts";
import type { About, Contact, Delivery, NotificationStore } from "../../src/notifications/ports.ts";
import type { Transaction } from "../../src/shared/transaction.ts";

export const NOW = new Date("2026-03-02T08:00:00.123Z");
export const LEASE = new Date("2026-03-02T08:01:00.123Z");
export const later = (ms: number) => new Date(NOW.getTime() + ms);
export const ALICE_ID = "0195f2b0-0000-7000-8000-00000000a11c";
export const BOB_ID = "0195f2b0-0000-7000-8000-000000000b0b";

export function contact(value: string, changes: Partial<Contact> = {}): Contact {
  const address = { channel: "email", value } as const;
  return {
    ...newContact({ id: crypto.randomUUID(), accountId: ALICE_ID, address, language: "de", own: false, now: NOW }),
    ...changes,
  };
}

export function delivery(
  subject: string,
  changes: Partial<Delivery> = {},
  about: About = { kind: "login_code", params: { minutes: "10" } },
): Delivery {
  const recipient = { channel: "email", value: "alice@home.example" } as const;
  const id = crypto.randomUUID();
  return {
    ...newDelivery({
      id,
      host: "breachbell.example",
      subject,
      recipient,
      accountId: ALICE_ID,
      language: "pt",
      about,
      now: NOW,
    }),
    ...changes,
  };
}

export function claim(
  transaction: Transaction<NotificationStore>,
  limit = 10,
  now = NOW,
  leaseUntil = LEASE,
): Promise<Delivery[]> {
  return transaction(async ({ deliveries }) => {
    await deliveries.reclaimExpired(now);
    return deliveries.claimDue(["email"], limit, now, leaseUntil);
  });
}
