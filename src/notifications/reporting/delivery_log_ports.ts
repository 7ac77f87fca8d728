import type { Attempt, Delivery } from "../delivery/delivery_ports.ts";

/** How a contact has done, read off what was sent to it. */
export type ContactHealth = {
  lastSentAt: Date | undefined;
  /** The last try that brought nothing, if nothing has arrived since. */
  lastFailure: { at: Date; outcome: NonNullable<Attempt["outcome"]>; detail: string | undefined } | undefined;
  /** Messages that have not ended. */
  waiting: number;
};

export type TriedDelivery = Delivery & { tries: Attempt[] };

/** Looking at the ledger; nothing here is on the way of a message. */
export type LedgerRepository = {
  /** By contact; one that was never sent anything is missing. */
  healthOf(contactIds: string[]): Promise<Map<string, ContactHealth>>;
  /** All that told, or will tell, of this alert: by itself, when it became worse, in a report. Oldest first. */
  listOfAlert(accountId: string, alert: { alertId: string; associationId: string }): Promise<TriedDelivery[]>;
  /** Those of them that are the account's. */
  listByIds(accountId: string, ids: string[]): Promise<TriedDelivery[]>;
  /** The account's newest, the latest first. */
  listNewest(accountId: string, limit: number): Promise<TriedDelivery[]>;
  /** What ended without arriving, the latest first. */
  listDead(offset: number, limit: number): Promise<{ deliveries: TriedDelivery[]; total: number }>;
};
