import type { Delivery } from "./delivery_ports.ts";

/** Messages that are held until their contact wants them: by quiet hours, or for the daily digest. */
export type WaitingRepository = {
  /** Contacts for which some are due, at most `limit`. */
  listDue(now: Date, limit: number): Promise<string[]>;
  /** Those of one contact, oldest first, for this transaction alone; none while another one has them. */
  lockDue(contactId: string, now: Date, limit: number): Promise<Delivery[]>;
  /** Ends these: what they tell is in the message `digestId`. */
  gather(ids: string[], digestId: string, now: Date): Promise<void>;
  /** Due as they are. */
  release(ids: string[], now: Date): Promise<void>;
};
