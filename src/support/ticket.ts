import type { Language } from "../shared/language.ts";
import type {
  FEEDBACK_TYPES,
  FeedbackInput,
  PRIORITIES,
  TICKET_KINDS,
  TICKET_STATES,
  TICKET_TYPES,
  TicketInput,
} from "./inputs.ts";

export type TicketKind = (typeof TICKET_KINDS)[number];
export type TicketState = (typeof TICKET_STATES)[number];
export type TicketType = (typeof TICKET_TYPES)[number] | (typeof FEEDBACK_TYPES)[number];
export type Priority = (typeof PRIORITIES)[number];

/** A request for help, or feedback, with its sender. */
export type Ticket = {
  id: string;
  /** Unique, public. */
  reference: string;
  accountId: string;
  /** Idempotency key created by the form; unique in its account. */
  key: string;
  kind: TicketKind;
  type: TicketType;
  /** Undefined for feedback, as is the subject. */
  priority: Priority | undefined;
  subject: string | undefined;
  description: string;
  firstName: string;
  lastName: string;
  /** As typed, for staff to see; mails go to the account's own address. */
  email: string;
  company: string | undefined;
  /** The language of mails to the sender. */
  language: Language;
  state: TicketState;
  createdAt: Date;
  /** When it last changed in any way. */
  changedAt: Date;
  closedAt: Date | undefined;
  /** When the sender consented to the use of this data. */
  consentedAt: Date;
};

/** A message of the conversation. */
export type Post = {
  id: string;
  ticketId: string;
  /** Idempotency key; unique in its ticket. */
  key: string;
  by: "sender" | "staff";
  text: string;
  at: Date;
};

/** More than a conversation needs, and few enough to show on one page. */
export const POSTS_MAX = 200;
const RETENTION_MONTHS = 12;

type Sender = { accountId: string; language: Language };

/** A ticket as submitted. */
export function newTicket(
  input: TicketInput | FeedbackInput,
  { id, reference, now, accountId, language }: Sender & { id: string; reference: string; now: Date },
): Ticket {
  const { privacy: _, company, ...written } = input;
  const asked = "subject" in written ? { kind: "ticket" as const } : { kind: "feedback" as const };
  return {
    priority: undefined,
    subject: undefined,
    ...written,
    ...asked,
    company,
    id,
    reference,
    accountId,
    language,
    state: "open",
    createdAt: now,
    changedAt: now,
    closedAt: undefined,
    consentedAt: now,
  };
}

/** The ticket in another state; closing it again keeps the first time. */
export function inState(ticket: Ticket, state: TicketState, now: Date): Ticket {
  const closedAt = state === "closed" ? (ticket.closedAt ?? now) : undefined;
  return { ...ticket, state, closedAt, changedAt: now };
}

/** Tickets that were closed at or before this instant are deleted. */
export function keptSince(now: Date): Date {
  const since = new Date(now);
  since.setUTCMonth(since.getUTCMonth() - RETENTION_MONTHS);
  return since;
}
