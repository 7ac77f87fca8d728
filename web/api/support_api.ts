import type { FeedbackInput, PostInput, TicketInput } from "../../src/support/inputs.ts";
import { type Answer, get, post } from "./call.ts";

export type TicketPage = Answer<"/api/support/tickets", "$get">;
export type Ticket = Answer<"/api/support/tickets/:reference", "$get">;
export type TicketKind = Ticket["kind"];
export type TicketState = Ticket["state"];

/** API calls for an account's support tickets. */
export const supportApi = {
  sendTicket: (body: TicketInput) => post("/api/support/tickets", { body }),
  sendFeedback: (body: FeedbackInput) => post("/api/support/feedback", { body }),
  tickets: (kind: TicketKind, page: number) => get("/api/support/tickets", { query: { kind, page } }),
  ticket: (reference: string) => get("/api/support/tickets/:reference", { params: { reference } }),
  followUp: (reference: string, body: PostInput) =>
    post("/api/support/tickets/:reference/messages", { params: { reference }, body }),
  close: (reference: string) => post("/api/support/tickets/:reference/close", { params: { reference } }),
  reopen: (reference: string) => post("/api/support/tickets/:reference/reopen", { params: { reference } }),
};
