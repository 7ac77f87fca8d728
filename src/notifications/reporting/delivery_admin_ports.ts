import type { Channel } from "../../shared/contacts.ts";
import type { Delivery, DeliveryState, HeldReason } from "../delivery/delivery_ports.ts";
import type { TriedDelivery } from "./delivery_log_ports.ts";

/** The number of messages in a state, by channel and reason. */
export type StateCount = {
  state: DeliveryState;
  reason: NonNullable<Delivery["reason"]> | undefined;
  channel: Channel;
  count: number;
  oldest: Date;
};

/** The operator's queries and actions; not used for sending. */
export type DeliveryAdminRepository = {
  /** Counts of everything that has not ended as sent or cancelled. */
  countStates(): Promise<StateCount[]>;
  /** Queued messages, the next one first. */
  listWaiting(offset: number, limit: number): Promise<{ deliveries: TriedDelivery[]; total: number }>;
  /** An account's messages in any state, the newest first. */
  listOfAccount(
    accountId: string,
    offset: number,
    limit: number,
  ): Promise<{ deliveries: TriedDelivery[]; total: number }>;
  /** Undeliverable messages, the latest first. */
  listDead(offset: number, limit: number): Promise<{ deliveries: TriedDelivery[]; total: number }>;
  find(id: string): Promise<TriedDelivery | undefined>;
  /** Holds due messages: these, or all except those that a user has just requested. Returns their ids. */
  hold(ids: string[] | undefined): Promise<string[]>;
  /** Makes messages due that are held for one of these reasons: these, or all of them. Returns their ids. */
  release(ids: string[] | undefined, reasons: HeldReason[], now: Date): Promise<string[]>;
  /** Makes every dead message due that may be sent again, as if it were new. Returns their ids. */
  reviveAll(now: Date): Promise<string[]>;
};
