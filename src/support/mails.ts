import type { MailRequested } from "../events/catalogue.ts";
import type { SupportDeps } from "./ports.ts";
import type { Ticket } from "./ticket.ts";

const STAFF_LANGUAGE = "en";

type SupportMail = Omit<MailRequested, "template"> & {
  template: Extract<MailRequested["template"], `ticket_${string}`>;
};

/** Mails about tickets. Texts by users are encrypted in the queue and wiped once the mail is sent. */
export function ticketMails({ supportEmail, cipher }: Pick<SupportDeps, "supportEmail" | "cipher">) {
  const facts = ({ reference, kind, type, priority }: Ticket) => ({
    reference,
    kind,
    type,
    ...(priority && { priority }),
  });

  /** To staff, with the full text. Reply-To is the sender's verified address. */
  function toStaff(
    template: "ticket_filed" | "ticket_followed_up",
    ticket: Ticket,
    { text, proven = "" }: { text: string; proven: string | undefined },
  ): SupportMail {
    const { firstName, lastName, email, company = "", subject = "", language, accountId } = ticket;
    return {
      type: "mail.requested",
      template,
      to: supportEmail,
      language: STAFF_LANGUAGE,
      accountId,
      params: { ...facts(ticket), language },
      sealed: cipher.encrypt(JSON.stringify({ firstName, lastName, email, proven, company, subject, text })),
    };
  }

  /** Never to the address typed into the form, which may belong to somebody else. */
  const toSender = (ticket: Ticket, to: string) => {
    const { language, accountId } = ticket;
    return { type: "mail.requested", to, language, accountId, params: facts(ticket) } as const;
  };

  return {
    filed: (ticket: Ticket, proven: string | undefined) =>
      toStaff("ticket_filed", ticket, { text: ticket.description, proven }),
    followedUp: (ticket: Ticket, text: string, { postId, proven }: { postId: string; proven: string | undefined }) => {
      const mail = toStaff("ticket_followed_up", ticket, { text, proven });
      return { ...mail, params: { ...mail.params, post: postId } };
    },
    received: (ticket: Ticket, to: string): SupportMail => ({ ...toSender(ticket, to), template: "ticket_received" }),
    answered: (ticket: Ticket, text: string, { postId, to }: { postId: string; to: string }): SupportMail => {
      const mail = toSender(ticket, to);
      const sealed = cipher.encrypt(JSON.stringify({ text }));
      return { ...mail, template: "ticket_answered", params: { ...mail.params, post: postId }, sealed };
    },
  };
}
