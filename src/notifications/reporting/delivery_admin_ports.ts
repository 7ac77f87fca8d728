import type { Channel } from "../../shared/contacts.ts";
import type { Delivery, DeliveryState, HeldReason } from "../delivery/delivery_ports.ts";
import type { TriedDelivery } from "./delivery_log_ports.ts";

/** How many messages are in one state, by channel and reason. */
export type StateCount = {
  state: DeliveryState;
  reason: NonNullable<Delivery["reason"]> | undefined;
  channel: Channel;
  count: number;
  oldest: Date;
};

/** What the operator looks at and decides; nothing here is on the way of a message. */
export type DeskRepository = {
  /** Of all that has not arrived: neither sent nor cancelled. */
  piles(): Promise<StateCount[]>;
  /** What waits, the next one first. */
  listWaiting(offset: number, limit: number): Promise<{ deliveries: TriedDelivery[]; total: number }>;
  find(id: string): Promise<TriedDelivery | undefined>;
  /** What is due now waits for the operator: these, or all that nobody has just asked for. Returns the ids of these. */
  hold(ids: string[] | undefined): Promise<string[]>;
  /** What waits for one of these reasons is due at once: these, or all of them. Returns the ids of these. */
  release(ids: string[] | undefined, reasons: HeldReason[], now: Date): Promise<string[]>;
  /** Every dead one that may be sent again is due, as if it were new. Returns the ids of these. */
  reviveAll(now: Date): Promise<string[]>;
};
