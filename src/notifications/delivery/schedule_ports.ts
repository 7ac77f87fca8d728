import type { Due } from "../../shared/due.ts";
import type { Delivery } from "./delivery_ports.ts";

/** Messages that are held by quiet hours or for the daily digest. */
export type WaitingRepository = {
  /** Contacts for which some are due, the longest due first, those that follow `after` in this order. */
  listDue(now: Date, after: Due | undefined, limit: number): Promise<Due[]>;
  /** Those of one contact, oldest first, with row locks; empty while another transaction has locked them. */
  lockDue(contactId: string, now: Date, limit: number): Promise<Delivery[]>;
  /** Ends these, as the message `digestId` includes them. */
  gather(ids: string[], digestId: string, now: Date): Promise<void>;
  /** Makes these due, unchanged. */
  release(ids: string[], now: Date): Promise<void>;
};
