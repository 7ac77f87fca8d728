import type { PostInput } from "../../src/support/inputs.ts";
import { type Answer, get, post } from "./call.ts";
import type { Ticket } from "./support_api.ts";

export type StaffTicketPage = Answer<"/api/staff/tickets", "$get">;
export type StaffTicket = Answer<"/api/staff/tickets/:reference", "$get">;
/** An empty string means no filter. */
export type TicketsAsked = Record<"kind" | "state" | "type" | "priority" | "search", string> & { page: number };

/** Staff API calls for support tickets. */
export const staffTicketsApi = {
  list: (query: TicketsAsked) => get("/api/staff/tickets", { query }),
  one: (reference: string) => get("/api/staff/tickets/:reference", { params: { reference } }),
  answer: (reference: string, body: PostInput) =>
    post("/api/staff/tickets/:reference/answers", { params: { reference }, body }),
  setState: (reference: string, state: Ticket["state"]) =>
    post("/api/staff/tickets/:reference/state", { params: { reference }, body: { state } }),
};
