import type { Answer } from "./call.ts";

export type StaffTicketPage = Answer<"/api/staff/tickets", "$get">;
export type StaffTicket = Answer<"/api/staff/tickets/:reference", "$get">;
/** An empty string means no filter. */
export type TicketsAsked = Record<"kind" | "state" | "type" | "priority" | "search", string> & { page: number };
