import type { MailRequested } from "../../events/catalogue.ts";
import type { AlertFacts } from "../../shared/breach.ts";
import type { ChatField } from "../../shared/chats.ts";
import type { Channel, ContactAddress } from "../../shared/contacts.ts";
import type { Content } from "./content.ts";

/** What a delivery is about. The text is rendered when it is sent, from the facts of that time. */
export type About =
  | { kind: "alert"; associationId: string; alertId: string }
  /** An escalation of its breach. */
  | { kind: "worse"; associationId: string; alertId: string; changeId: string }
  | { kind: "report"; associationId: string; alertIds: string[] }
  /** Several alerts at the same time; `digest`: those collected for the hour that the recipient chose. */
  | { kind: "alerts" | "digest"; alerts: { associationId: string; alertId: string }[] }
  | { kind: "test" }
  | { kind: "confirmation" }
  /** Of a month, such as "2026-10". */
  | { kind: "monthly_summary"; month: string }
  | { kind: MailRequested["template"]; params: Record<string, string> };

export type Urgency = "low" | "normal" | "high" | "critical";

/** The recipient; `device` and `secret` (decrypted) are the contact's settings, `chatId` its Telegram chat. */
export type Recipient = ContactAddress & { device?: string; secret?: string; chatId?: string; thread?: number };

export type Message = {
  deliveryId: string;
  messageId: string;
  to: Recipient;
  content: Content;
  /** The kind of message, for programs. */
  kind?: About["kind"];
  /** The facts behind the text, for programs. */
  facts?: AlertFacts[];
  /** Defaults to normal. */
  urgency?: Urgency;
  /** Whether the contact wants critical messages to repeat until they are acknowledged. */
  emergency?: true;
  /** When the alert was raised. */
  raisedAt?: Date;
  /** After this time the message is not worth sending. */
  notAfter?: Date;
  /** Reply-To of a mail; defaults to the sender. */
  replyTo?: string;
  /** URL for one-click unsubscription by mail programs (RFC 8058). */
  oneClickUrl?: string;
};

/** The outcome of an attempt, in common terms for all channels. `reason` never contains a secret. */
export type Outcome =
  /** `receipt`: of an emergency, to query its acknowledgement. */
  | { kind: "delivered"; providerId?: string; receipt?: string }
  /** Temporary. `inDoubt`: it may have been accepted, as the response was lost. */
  | { kind: "retry"; scope: "contact" | "channel"; reason: string; afterMs?: number; inDoubt?: boolean }
  /**
   * The recipient or this message is refused. A recipient is tried once more on another day, unless `forGood`: the provider says
   * that it does not exist.
   */
  | { kind: "dead"; cause: "recipient" | "message"; reason: string; forGood?: true }
  /**
   * Not the contact's fault: the operator has to act. `scope` says who is affected: everybody, as our key, sender address or
   * set-up is wrong; the recipients of a server that refuses ours by policy; or this message alone.
   */
  | { kind: "misconfigured"; scope: "channel" | "recipient" | "message"; reason: string };

/** The provider's check of a contact before anything is sent. */
export type ContactCheck =
  | { kind: "valid"; devices: string[] }
  | { kind: "invalid" }
  /** The provider was unavailable, or its answer invalid. */
  | { kind: "unknown"; reason: string };

/** What people enter to connect a chat, by field. */
export type Entered = { [field in ChatField]?: string | undefined };
/** A chat that can be connected: `entered` in its canonical form, and a name for it that holds no secret. */
export type ChatPlace = { entered: Entered; host: string; label: string };

/** The state of an emergency; one that its provider no longer knows has expired. */
export type ReceiptFate = { acknowledgedAt: Date | null; expired: boolean };

/** Querying and cancelling emergencies, which repeat until they are acknowledged. */
export type Receipts = {
  /** "unknown": the provider was unavailable, or its answer invalid. */
  look(receipt: string): Promise<ReceiptFate | "unknown">;
  /** Stops the repetition; false when the provider did not confirm that. */
  cancel(receipt: string): Promise<boolean>;
};

/** A channel's limit for all processes together. */
export type SendLimit =
  | { per: "second"; most: number }
  /** According to the provider's last answer; `left` until `resetsAt`. */
  | { per: "month"; most: number; left: number; resetsAt: Date };

/** The sender of a channel. Never throws for a provider's answer. */
export type MessageSender = {
  readonly channel: Channel;
  /** A send that takes longer has failed; half a minute where it is not said. The sender ends it before. */
  readonly deadlineMs?: number;
  send(message: Message): Promise<Outcome>;
  /** Ends what is under way, as the process stops. */
  close?(): Promise<void>;
  /** Throws when the server would not accept messages now. */
  verify?(): Promise<void>;
  /** Whether the contact exists, if the provider can tell. */
  check?(value: string): Promise<ContactCheck>;
  /** Of a chat: what was entered, or the field that is invalid or leads to no public address. Sends nothing. */
  look?(entered: Entered): Promise<ChatPlace | { wrong: ChatField }>;
  /** Web Push: the public key that browsers subscribe with, in base64url. */
  publicKey?(): Promise<string | undefined>;
  /** For channels whose emergencies can be followed. */
  receipts?: Receipts;
  /** For channels with a limit; undefined while it is unknown. */
  limit?: { current(): SendLimit | undefined };
};
