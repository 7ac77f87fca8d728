import type { Language } from "../shared/language.ts";
import { fail, ok, type Result } from "../shared/result.ts";
import type { FeedbackInput, TicketInput } from "./inputs.ts";
import { senderLimits } from "./limits.ts";
import { ticketMails } from "./mails.ts";
import type { SupportDeps, SupportStore } from "./ports.ts";
import { referenceFrom } from "./reference.ts";
import { newTicket, type Ticket } from "./ticket.ts";
import { shown } from "./views.ts";

/** A collision has a chance of one in billions; several in a row indicate a bug. */
const DRAWS = 5;

export type Sender = { accountId: string; language: Language; ip: string };

/** Submitting tickets and feedback. */
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
      // After counting, which serializes parallel submissions of an account.
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
    /** Submits a request for help. Idempotent by the input's key. */
    sendTicket: (input: TicketInput, sender: Sender) => send(input, sender),
    /** Submits a suggestion, an improvement or criticism. */
    sendFeedback: (input: FeedbackInput, sender: Sender) => send(input, sender),
  };
}
