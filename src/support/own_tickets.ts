import { fail, ok, type Result } from "../shared/result.ts";
import type { PostInput } from "./inputs.ts";
import { senderLimits } from "./limits.ts";
import { ticketMails } from "./mails.ts";
import { pageOf, rangeOf } from "./page.ts";
import type { SupportDeps, SupportStore } from "./ports.ts";
import type { Sender } from "./submit.ts";
import { inState, POSTS_MAX, type Ticket, type TicketKind, type TicketState } from "./ticket.ts";
import { listed, shown } from "./views.ts";

type Shown = ReturnType<typeof shown>;

/** What an account can do with its own tickets. */
export function ownTickets(deps: SupportDeps) {
  const { transaction, ownAddress, now, newId, mac } = deps;
  const mails = ticketMails(deps);

  async function held({ tickets }: SupportStore, accountId: string, reference: string): Promise<Ticket | undefined> {
    const ticket = await tickets.findForUpdate(reference);
    return ticket?.accountId === accountId ? ticket : undefined;
  }

  function changeState(accountId: string, reference: string, state: TicketState): Promise<Result<Shown, "NOT_FOUND">> {
    return transaction(async (store) => {
      const ticket = await held(store, accountId, reference);
      if (!ticket) return fail("NOT_FOUND");
      const isThere = state === "closed" ? ticket.state === "closed" : ticket.state !== "closed";
      const after = isThere ? ticket : inState(ticket, state, now());
      if (!isThere) await store.tickets.setState(after);
      return ok(shown(after, await store.posts.list(ticket.id)));
    });
  }

  return {
    /** One page of the account's tickets, the last changed first. */
    ownTickets(accountId: string, kind: TicketKind, page: number) {
      return transaction(async ({ tickets }) =>
        ok(pageOf(page, await tickets.pageOwn(accountId, kind, rangeOf(page)), listed)),
      );
    },

    ownTicket(accountId: string, reference: string): Promise<Result<Shown, "NOT_FOUND">> {
      return transaction(async ({ tickets, posts }) => {
        const ticket = await tickets.find(reference);
        if (ticket?.accountId !== accountId) return fail("NOT_FOUND");
        return ok(shown(ticket, await posts.list(ticket.id)));
      });
    },

    /** Adds to the conversation, reopens the ticket and notifies staff. Idempotent by the message's key. */
    async followUp(
      reference: string,
      { text, key }: PostInput,
      { accountId, ip }: Sender,
    ): Promise<Result<Shown, "NOT_FOUND" | "RATE_LIMITED" | "CONVERSATION_FULL">> {
      const proven = await ownAddress.of(accountId);
      return transaction(async (store) => {
        const { tickets, posts, limits, events } = store;
        const counters = senderLimits(limits, mac, now());
        const waitOfAccount = await counters.ofAccount(accountId);
        const ticket = await held(store, accountId, reference);
        if (!ticket) return fail("NOT_FOUND");
        const said = await posts.list(ticket.id);
        if (said.some((post) => post.key === key)) {
          await counters.giveBack(accountId);
          return ok(shown(ticket, said));
        }
        const retryAfter = waitOfAccount || (await counters.ofIp(ip));
        if (retryAfter > 0) return fail("RATE_LIMITED", { retryAfter });
        if (said.length >= POSTS_MAX) return fail("CONVERSATION_FULL");
        const post = { id: newId(), ticketId: ticket.id, key, by: "sender", text, at: now() } as const;
        await posts.add(post);
        const after = inState(ticket, "open", now());
        await tickets.setState(after);
        await events.publish(mails.followedUp(after, text, { postId: post.id, proven }));
        return ok(shown(after, [...said, post]));
      });
    },

    /** Closed by its sender. */
    closeTicket: (accountId: string, reference: string) => changeState(accountId, reference, "closed"),
    reopenTicket: (accountId: string, reference: string) => changeState(accountId, reference, "open"),
  };
}
