import type { Channel } from "../../shared/contacts.ts";

/** An emergency that may still repeat, possibly after its delivery was removed. */
export type OpenReceipt = {
  receipt: string;
  channel: Channel;
  deliveryId: string;
  sentAt: Date;
  /** When to query it next. */
  lookAt: Date;
};

export type ReceiptRepository = {
  /** Idempotent by receipt. */
  open(receipt: OpenReceipt): Promise<void>;
  /** Claims the receipt that is longest overdue until `until`, its new `lookAt`. */
  claimDue(now: Date, until: Date): Promise<OpenReceipt | undefined>;
  /** Schedules the next query at `lookAt`, unless another process has claimed it in the meantime. */
  lookAgain(claimed: OpenReceipt, lookAt: Date): Promise<void>;
  close(receipt: string): Promise<void>;
  /** Stores the acknowledgement of the delivery, if that still exists; the first time is kept. */
  acknowledge(deliveryId: string, at: Date): Promise<void>;
};
