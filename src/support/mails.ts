import type { MailRequested } from "../events/catalogue.ts";
import type { SupportDeps } from "./ports.ts";
import type { Ticket } from "./ticket.ts";

const STAFF_LANGUAGE = "en";

type SupportMail = Omit<MailRequested, "template"> & {
  template: Extract<MailRequested["template"], `ticket_${string}`>;
};

/** What is mailed about a ticket. What people wrote travels sealed and is wiped when the mail is sent. */
export function ticketMails({ supportEmail, seal }: Pick<SupportDeps, "supportEmail" | "seal">) {
  const facts = ({ reference, kind, type, priority }: Ticket) => ({
    ...{ reference, kind, type },
    ...(priority && { priority }),
  });

  /** To the staff, with everything; a reply by mail goes to the sender. */
  function toStaff(template: "ticket_filed" | "ticket_followed_up", ticket: Ticket, text: string): SupportMail {
    const { firstName, lastName, email, company = "", subject = "", language, accountId } = ticket;
    return {
      ...{ type: "mail.requested", template, to: supportEmail, language: STAFF_LANGUAGE, accountId },
      params: { ...facts(ticket), language },
      sealed: seal.close(JSON.stringify({ firstName, lastName, email, company, subject, text })),
    };
  }

  const toSender = (ticket: Ticket) => {
    const { email: to, language, accountId } = ticket;
    return { type: "mail.requested", to, language, accountId, params: facts(ticket) } as const;
  };

  return {
    filed: (ticket: Ticket) => toStaff("ticket_filed", ticket, ticket.description),
    followedUp: (ticket: Ticket, text: string, postId: string): SupportMail => {
      const mail = toStaff("ticket_followed_up", ticket, text);
      return { ...mail, params: { ...mail.params, post: postId } };
    },
    /** Says nothing of what was written: anybody's address may have been typed. */
    received: (ticket: Ticket): SupportMail => ({ ...toSender(ticket), template: "ticket_received" }),
    answered: (ticket: Ticket, text: string, postId: string): SupportMail => {
      const mail = toSender(ticket);
      const sealed = seal.close(JSON.stringify({ text }));
      return { ...mail, template: "ticket_answered", params: { ...mail.params, post: postId }, sealed };
    },
  };
}
