import type { Channel } from "../../shared/contacts.ts";

/** An emergency that may still repeat. Its delivery can be gone already. */
export type OpenReceipt = {
  receipt: string;
  channel: Channel;
  deliveryId: string;
  sentAt: Date;
  /** Its provider is not asked before. */
  lookAt: Date;
};

export type ReceiptRepository = {
  /** Once for each receipt. */
  open(receipt: OpenReceipt): Promise<void>;
  /** The one that has been due the longest, for one caller: nobody else gets it before `until`, its new `lookAt`. */
  claimDue(now: Date, until: Date): Promise<OpenReceipt | undefined>;
  /** Due again at `lookAt`, unless somebody else has claimed it meanwhile. */
  lookAgain(claimed: OpenReceipt, lookAt: Date): Promise<void>;
  close(receipt: string): Promise<void>;
  /** Of the delivery, if it is still there; the first time counts. */
  acknowledge(deliveryId: string, at: Date): Promise<void>;
};
