import type { Answer } from "./call.ts";

export type Ticket = Answer<"/api/support/tickets/:reference", "$get">;
export type TicketKind = Ticket["kind"];
