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

/** A request for help, or feedback: what somebody wrote to the staff, with who it was. */
export type Ticket = {
  id: string;
  /** Unique; what people quote. */
  reference: string;
  accountId: string;
  /** Unique in its account: the form's own, so that what is sent twice is one. */
  key: string;
  kind: TicketKind;
  type: TicketType;
  /** Feedback has neither priority nor subject. */
  priority: Priority | undefined;
  subject: string | undefined;
  description: string;
  firstName: string;
  lastName: string;
  /** As it was typed, for the staff to see; mail goes to the account's own. */
  email: string;
  company: string | undefined;
  /** In which answers are announced. */
  language: Language;
  state: TicketState;
  createdAt: Date;
  /** When anything last happened to it. */
  changedAt: Date;
  closedAt: Date | undefined;
  /** When the sender agreed that this data is used for the answer. */
  consentedAt: Date;
};

/** One message of the conversation that follows. */
export type Post = {
  id: string;
  ticketId: string;
  /** Unique in its ticket. */
  key: string;
  by: "sender" | "staff";
  text: string;
  at: Date;
};

/** More than any conversation needs, and few enough to show at once. */
export const POSTS_MAX = 200;
const RETENTION_MONTHS = 12;

type Sender = { accountId: string; language: Language };

/** What somebody has just sent. */
export function newTicket(
  input: TicketInput | FeedbackInput,
  { id, reference, now, accountId, language }: Sender & { id: string; reference: string; now: Date },
): Ticket {
  const { privacy: _, company, ...written } = input;
  const asked = "subject" in written ? { kind: "ticket" as const } : { kind: "feedback" as const };
  return {
    ...{ priority: undefined, subject: undefined, ...written, ...asked, company },
    ...{ id, reference, accountId, language, state: "open", createdAt: now, changedAt: now, closedAt: undefined },
    consentedAt: now,
  };
}

/** The ticket in another state; the moment it was closed counts from the first time. */
export function turned(ticket: Ticket, state: TicketState, now: Date): Ticket {
  const closedAt = state === "closed" ? (ticket.closedAt ?? now) : undefined;
  return { ...ticket, state, closedAt, changedAt: now };
}

/** What was closed at or before this moment is not kept any longer. */
export function keptSince(now: Date): Date {
  const since = new Date(now);
  since.setUTCMonth(since.getUTCMonth() - RETENTION_MONTHS);
  return since;
}
