import type { TicketKind } from "../api/support_api.ts";
import type { TextId } from "../app/text_id.ts";

type Words = Record<
  "title" | "lead" | "form" | "send" | "failed" | "sent" | "another" | "list" | "none" | "back" | "list_failed",
  TextId
> & { page: "support" | "suggestions" };

/** Paths and texts of the two support pages. */
export const WORDS: Record<TicketKind, Words> = {
  ticket: {
    page: "support",
    title: "support.title",
    lead: "support.lead",
    form: "support.form",
    send: "support.send",
    failed: "support.failed",
    sent: "support.sent",
    another: "support.another",
    list: "support.list",
    none: "support.none",
    back: "support.back",
    list_failed: "support.list_failed",
  },
  feedback: {
    page: "suggestions",
    title: "suggestions.title",
    lead: "suggestions.lead",
    form: "suggestions.form",
    send: "suggestions.send",
    failed: "suggestions.failed",
    sent: "suggestions.sent",
    another: "suggestions.another",
    list: "suggestions.list",
    none: "suggestions.none",
    back: "suggestions.back",
    list_failed: "suggestions.list_failed",
  },
};
