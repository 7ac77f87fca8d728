import type { Post, Ticket } from "./ticket.ts";

const EXCERPT = 100;

/** A ticket in a list; instants in ISO 8601, missing values null. */
export function listed({ reference, kind, type, priority, subject, description, state, ...times }: Ticket) {
  return {
    reference,
    kind,
    type,
    priority: priority ?? null,
    state,
    title: subject ?? excerpt(description),
    createdAt: times.createdAt.toISOString(),
    changedAt: times.changedAt.toISOString(),
  };
}

function excerpt(text: string): string {
  const line = [...text.replaceAll(/\s+/g, " ")];
  return line.length <= EXCERPT ? line.join("") : `${line.slice(0, EXCERPT - 1).join("")}…`;
}

/** A ticket with its conversation, which begins with the description. */
export function shown(ticket: Ticket, posts: Post[]) {
  const { firstName, lastName, email, company, subject, description, createdAt, closedAt } = ticket;
  const first = { by: "sender" as const, text: description, at: createdAt };
  return {
    ...listed(ticket),
    subject: subject ?? null,
    firstName,
    lastName,
    email,
    company: company ?? null,
    closedAt: closedAt?.toISOString() ?? null,
    messages: [first, ...posts].map(({ by, text, at }) => ({ by, text, at: at.toISOString() })),
  };
}

/** The same with what only staff can see. */
export function shownToStaff(ticket: Ticket, posts: Post[]) {
  return { ...shown(ticket, posts), language: ticket.language, accountId: ticket.accountId };
}
export function listedForStaff(ticket: Ticket) {
  const { firstName, lastName, email } = ticket;
  return { ...listed(ticket), sender: `${firstName} ${lastName}`, email };
}
