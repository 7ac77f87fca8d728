import type { Language } from "../shared/language.ts";
import { fail, ok, type Result } from "../shared/result.ts";
import type { FeedbackInput, TicketInput } from "./inputs.ts";
import { senderLimits } from "./limits.ts";
import { ticketMails } from "./mails.ts";
import type { SupportDeps, SupportStore } from "./ports.ts";
import { referenceFrom } from "./reference.ts";
import { newTicket, type Ticket } from "./ticket.ts";
import { shown } from "./views.ts";

/** Chances are one in billions each; several in a row mean that something is broken. */
const DRAWS = 5;

export type Sender = { accountId: string; language: Language; ip: string };

/** Sending something to the staff. */
export function submit(deps: SupportDeps) {
  const { transaction, ownAddress, now, newId, newToken, mac } = deps;
  const mails = ticketMails(deps);

  async function stored(
    { tickets }: SupportStore,
    input: TicketInput | FeedbackInput,
    sender: Sender,
  ): Promise<Ticket> {
    for (let draw = 0; draw < DRAWS; draw++) {
      const reference = referenceFrom(newToken());
      const ticket = newTicket(input, { ...sender, id: newId(), reference, now: now() });
      if (await tickets.add(ticket)) return ticket;
    }
    throw new Error(`Cannot store a ticket: ${DRAWS} references in a row were taken`);
  }

  async function send(
    input: TicketInput | FeedbackInput,
    sender: Sender,
  ): Promise<Result<ReturnType<typeof shown>, "RATE_LIMITED">> {
    const proven = await ownAddress.of(sender.accountId);
    return transaction(async (store) => {
      const { tickets, posts, limits, events } = store;
      const counters = senderLimits(limits, mac, now());
      const waitOfAccount = await counters.ofAccount(sender.accountId);
      // After the count, which lets an account's parallel ones wait for each other.
      const before = await tickets.findByKey(sender.accountId, input.key);
      if (before) {
        await counters.giveBack(sender.accountId);
        return ok(shown(before, await posts.list(before.id)));
      }
      const retryAfter = waitOfAccount || (await counters.ofIp(sender.ip));
      if (retryAfter > 0) return fail("RATE_LIMITED", { retryAfter });
      const ticket = await stored(store, input, sender);
      await events.publish(mails.filed(ticket, proven));
      if (proven !== undefined) await events.publish(mails.received(ticket, proven));
      return ok(shown(ticket, []));
    });
  }

  return {
    /** A request for help. The same one sent again is the same ticket. */
    sendTicket: (input: TicketInput, sender: Sender) => send(input, sender),
    /** A suggestion, an improvement, or critique. */
    sendFeedback: (input: FeedbackInput, sender: Sender) => send(input, sender),
  };
}
