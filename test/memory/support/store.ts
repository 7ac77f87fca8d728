import { PRIORITIES } from "../../../src/support/inputs.ts";
import type { Counted, LimitRepository } from "../../../src/support/limit_ports.ts";
import { counted } from "../../../src/support/limits.ts";
import type {
  PostRepository,
  Range,
  SupportStore,
  TicketFilter,
  TicketRepository,
} from "../../../src/support/ports.ts";
import type { Post, Ticket } from "../../../src/support/ticket.ts";
import type { MemoryTables } from "../database.ts";
import { memoryEvents } from "../events/outbox.ts";

const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
const byChange = (a: Ticket, b: Ticket) => a.changedAt.getTime() - b.changedAt.getTime() || byId(a, b);
const rankOf = ({ priority }: Ticket) => (priority === undefined ? -1 : PRIORITIES.indexOf(priority));
const lastChangedFirst = (a: Ticket, b: Ticket) => byChange(b, a);
const mostUrgentFirst = (a: Ticket, b: Ticket) => rankOf(b) - rankOf(a) || byChange(a, b);

/** The in-memory support store. */
export function memorySupport(tables: MemoryTables): SupportStore {
  return {
    tickets: ticketsIn(tables),
    posts: postsIn(tables),
    limits: limitsIn(tables),
    events: memoryEvents(tables),
  };
}

function isWanted(ticket: Ticket, { reference, ...exact }: TicketFilter): boolean {
  const names = Object.keys(exact) as (keyof typeof exact)[];
  return (
    ticket.reference.startsWith(reference) &&
    names.every((name) => exact[name] === undefined || exact[name] === ticket[name])
  );
}

function ticketsIn(tables: MemoryTables): TicketRepository {
  const rows = tables<Ticket>("support.ticket");
  const posts = tables<Post>("support.post");
  const pageOf = (tickets: Ticket[], { offset, limit }: Range) => ({
    tickets: tickets.slice(offset, offset + limit),
    total: tickets.length,
  });
  const find = async (reference: string) => rows.find((row) => row.reference === reference);
  function remove({ id }: Ticket) {
    posts.removeWhere(({ ticketId }) => ticketId === id);
    rows.delete(id);
  }

  return {
    async add(ticket) {
      if (await find(ticket.reference)) return false;
      if (rows.find(({ accountId, key }) => accountId === ticket.accountId && key === ticket.key))
        throw new Error("Cannot store a ticket: its account has sent one with this key");
      rows.set(ticket.id, ticket);
      return true;
    },
    findByKey: async (accountId, key) => rows.find((row) => row.accountId === accountId && row.key === key),
    find,
    findForUpdate: find,
    async setState({ id, state, changedAt, closedAt }) {
      const row = rows.get(id);
      if (row) rows.set(id, { ...row, state, changedAt, closedAt });
    },
    pageOwn: async (accountId, kind, range) =>
      pageOf(rows.filter((row) => row.accountId === accountId && row.kind === kind).sort(lastChangedFirst), range),
    async pageAll(filter, range) {
      const order = filter.state === "open" ? mostUrgentFirst : lastChangedFirst;
      return pageOf(rows.filter((row) => isWanted(row, filter)).sort(order), range);
    },
    async removeByAccount(accountId) {
      for (const ticket of rows.filter((row) => row.accountId === accountId)) remove(ticket);
    },
    async removeClosed(before, limit) {
      const over = rows.filter(({ closedAt }) => closedAt !== undefined && closedAt <= before).slice(0, limit);
      for (const ticket of over) remove(ticket);
      return over.length;
    },
  };
}

function postsIn(tables: MemoryTables): PostRepository {
  const rows = tables<Post>("support.post");
  return {
    async add(post) {
      if (rows.find(({ ticketId, key }) => ticketId === post.ticketId && key === post.key)) return false;
      rows.set(post.id, post);
      return true;
    },
    list: async (ticketId) =>
      rows.filter((row) => row.ticketId === ticketId).sort((a, b) => a.at.getTime() - b.at.getTime() || byId(a, b)),
  };
}

function limitsIn(tables: MemoryTables): LimitRepository {
  const rows = tables<Counted & { key: string }>("support.sent");
  return {
    async count(key, limit, now) {
      const after = counted(rows.get(key), limit, now);
      rows.set(key, { key, ...after });
      return after;
    },
    async giveBack(key) {
      const row = rows.get(key);
      if (row) rows.set(key, { ...row, count: Math.max(0, row.count - 1) });
    },
    async removeExpired(now) {
      rows.removeWhere(({ until }) => until <= now);
    },
  };
}
