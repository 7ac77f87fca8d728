import type { MailRequested } from "../../events/catalogue.ts";
import type { AlertFacts } from "../../shared/breach.ts";
import type { Channel, ContactAddress } from "../../shared/contacts.ts";
import type { Content } from "./content.ts";

/** What a delivery tells. The words are made when it is sent, from the facts of that moment. */
export type About =
  | { kind: "alert"; associationId: string; alertId: string }
  /** Its breach became worse. */
  | { kind: "worse"; associationId: string; alertId: string; changeId: string }
  | { kind: "report"; associationId: string; alertIds: string[] }
  /** Several that came at once; `digest`: that waited for the hour their reader chose. */
  | { kind: "alerts" | "digest"; alerts: { associationId: string; alertId: string }[] }
  | { kind: "test" }
  | { kind: "confirmation" }
  /** Of a month, such as "2026-10". */
  | { kind: "monthly_summary"; month: string }
  | { kind: MailRequested["template"]; params: Record<string, string> };

export type Urgency = "low" | "normal" | "high" | "critical";

/** Where a message goes; `device` and `secret` (in clear) are the contact's settings, `chatId` its Telegram chat. */
export type Recipient = ContactAddress & { device?: string; secret?: string; chatId?: string };

export type Message = {
  deliveryId: string;
  messageId: string;
  to: Recipient;
  content: Content;
  /** What it is about, for a program that reads it. */
  kind?: About["kind"];
  /** The facts behind its words, for a program that reads them. */
  facts?: AlertFacts[];
  /** Absent: normal. */
  urgency?: Urgency;
  /** The contact asked that a critical message repeats until somebody has seen it. */
  emergency?: true;
  /** When it was raised. */
  raisedAt?: Date;
  /** When it is worth nothing any more. */
  notAfter?: Date;
  /** To whom an answer by mail goes; absent: to the sender of all mail. */
  replyTo?: string;
  /** Where a mail program may POST to stop these messages (RFC 8058). */
  oneClickUrl?: string;
};

/** A provider's answer, in one vocabulary for all channels. `reason` never holds a secret. */
export type Outcome =
  /** `receipt`: of an emergency, by which its provider tells whether somebody has seen it. */
  | { kind: "delivered"; providerId?: string; receipt?: string }
  /** Temporary. `inDoubt`: it may have been accepted, as the answer was lost. */
  | { kind: "retry"; scope: "contact" | "channel"; reason: string; afterMs?: number; inDoubt?: boolean }
  /**
   * The recipient is refused, or this one message is. A recipient is tried once more on another day, unless `forGood`
   * says that the provider knows of none.
   */
  | { kind: "dead"; cause: "recipient" | "message"; reason: string; forGood?: true }
  /** Our key, our sender address, our set-up: the operator has to act, the contact is not to blame. */
  | { kind: "misconfigured"; reason: string };

/** What a provider says of a contact before anything is sent to it. */
export type ContactCheck =
  | { kind: "valid"; devices: string[] }
  | { kind: "invalid" }
  /** The provider could not be asked, or its answer not understood. */
  | { kind: "unknown"; reason: string };

/** What became of an emergency; one that its provider does not know any more has expired. */
export type ReceiptFate = { acknowledgedAt: Date | null; expired: boolean };

/** Emergencies repeat until somebody has seen them: whether that is so, and how they end before it. */
export type Receipts = {
  /** "unknown": the provider could not be asked, or its answer not understood. */
  look(receipt: string): Promise<ReceiptFate | "unknown">;
  /** Ends the repeating; false when the provider did not say that it has. */
  cancel(receipt: string): Promise<boolean>;
};

/** How much may leave by one process, or by the account that all processes share. */
export type SendLimit =
  /** Of each process by itself. */
  | { per: "second"; most: number }
  /** Of all together, as the provider said with its last answer; `left` until `resetsAt`. */
  | { per: "month"; most: number; left: number; resetsAt: Date };

/** One channel's way out. Never throws for a provider's answer. */
export type MessageSender = {
  readonly channel: Channel;
  send(message: Message): Promise<Outcome>;
  /** Throws when its server would take nothing from us now. */
  verify?(): Promise<void>;
  /** Whether there is such a contact, where the provider tells. */
  check?(value: string): Promise<ContactCheck>;
  /** Where emergencies can be followed. */
  receipts?: Receipts;
  /** Where there is one; undefined while it is not known. */
  limit?: { current(): SendLimit | undefined };
};
