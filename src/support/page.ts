import type { Range, TicketPage } from "./ports.ts";
import type { Ticket } from "./ticket.ts";

export const TICKETS_PER_PAGE = 25;

export function rangeOf(page: number): Range {
  return { offset: (page - 1) * TICKETS_PER_PAGE, limit: TICKETS_PER_PAGE };
}

export function pageOf<Item>(page: number, { tickets, total }: TicketPage, shown: (ticket: Ticket) => Item) {
  return { items: tickets.map(shown), total, page, pageSize: TICKETS_PER_PAGE };
}
