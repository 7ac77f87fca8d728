import { fail, ok, type Result } from "../shared/result.ts";
import type { StaffAct, StaffActor } from "../shared/staff.ts";
import type { PostInput } from "./inputs.ts";
import { ticketMails } from "./mails.ts";
import { pageOf, rangeOf } from "./page.ts";
import type { SupportDeps, SupportStore, TicketFilter } from "./ports.ts";
import { referencePrefix } from "./reference.ts";
import { inState, POSTS_MAX, type Ticket, type TicketState } from "./ticket.ts";
import { listedForStaff, shownToStaff } from "./views.ts";

type Shown = ReturnType<typeof shownToStaff>;
/** `search`: a reference or its beginning. */
export type StaffTicketQuery = Partial<Omit<TicketFilter, "reference">> & { search?: string; page: number };

/** What staff can do with tickets. Authorization is up to the caller; every action is audited. */
export function staffTickets(deps: SupportDeps) {
  const { transaction, ownAddress, now, newId } = deps;
  const mails = ticketMails(deps);

  function told({ events }: SupportStore, actor: StaffActor, act: StaffAct, ticket: Ticket, detail: object) {
    return events.publish({
      type: "staff.acted",
      id: newId(),
      at: now().toISOString(),
      actor,
      act,
      object: { kind: "ticket", id: ticket.id },
      detail: { reference: ticket.reference, ...detail },
    });
  }

  return {
    /** One page of all tickets; open ones by urgency, then the longest waiting first. */
    staffTickets({ search = "", page, kind, state, type, priority }: StaffTicketQuery) {
      const filter = { kind, state, type, priority, reference: referencePrefix(search) };
      return transaction(async ({ tickets }) =>
        ok(pageOf(page, await tickets.pageAll(filter, rangeOf(page)), listedForStaff)),
      );
    },

    staffTicket(reference: string): Promise<Result<Shown, "NOT_FOUND">> {
      return transaction(async ({ tickets, posts }) => {
        const ticket = await tickets.find(reference);
        return ticket ? ok(shownToStaff(ticket, await posts.list(ticket.id))) : fail("NOT_FOUND");
      });
    },

    /** Adds an answer and mails it to the sender. Idempotent by the message's key. */
    async answerTicket(
      actor: StaffActor,
      reference: string,
      { text, key }: PostInput,
    ): Promise<Result<Shown, "NOT_FOUND" | "CONVERSATION_FULL">> {
      const asked = await transaction(({ tickets }) => tickets.find(reference));
      const to = asked && (await ownAddress.of(asked.accountId));
      return transaction(async (store) => {
        const { tickets, posts, events } = store;
        const ticket = await tickets.findForUpdate(reference);
        if (!ticket) return fail("NOT_FOUND");
        const said = await posts.list(ticket.id);
        if (said.some((post) => post.key === key)) return ok(shownToStaff(ticket, said));
        if (said.length >= POSTS_MAX) return fail("CONVERSATION_FULL");
        const post = { id: newId(), ticketId: ticket.id, key, by: "staff", text, at: now() } as const;
        await posts.add(post);
        const after = inState(ticket, "answered", now());
        await tickets.setState(after);
        if (to !== undefined) await events.publish(mails.answered(after, text, { postId: post.id, to }));
        await told(store, actor, "ticket_answered", ticket, { from: ticket.state });
        return ok(shownToStaff(after, [...said, post]));
      });
    },

    setTicketState(actor: StaffActor, reference: string, state: TicketState): Promise<Result<Shown, "NOT_FOUND">> {
      return transaction(async (store) => {
        const ticket = await store.tickets.findForUpdate(reference);
        if (!ticket) return fail("NOT_FOUND");
        const posts = await store.posts.list(ticket.id);
        if (ticket.state === state) return ok(shownToStaff(ticket, posts));
        const after = inState(ticket, state, now());
        await store.tickets.setState(after);
        await told(store, actor, "ticket_changed", ticket, { from: ticket.state, to: state });
        return ok(shownToStaff(after, posts));
      });
    },
  };
}
