import type { Attempt, Delivery } from "../delivery/delivery_ports.ts";

/** A contact's health, derived from its deliveries. */
export type ContactHealth = {
  lastSentAt: Date | undefined;
  /** The last failed attempt, if nothing was delivered since. */
  lastFailure: { at: Date; detail: string | undefined } | undefined;
  /** Messages that have not ended. */
  waiting: number;
};

export type TriedDelivery = Delivery & { tries: Attempt[] };

/** Queries on the delivery log; not used for sending. */
export type DeliveryLogRepository = {
  /** By contact; those without deliveries are left out. */
  healthOf(contactIds: string[]): Promise<Map<string, ContactHealth>>;
  /** All messages about this alert: its own, those about escalations, and reports. Oldest first. */
  listOfAlert(accountId: string, alert: { alertId: string; associationId: string }): Promise<TriedDelivery[]>;
  /** Those of them that belong to the account. */
  listByIds(accountId: string, ids: string[]): Promise<TriedDelivery[]>;
};
