import type { ContactState } from "../api.ts";
import type { TextId } from "../text_id.ts";

/** What a contact that gets no messages needs; nothing is said of one that works. */
export const CONTACT_NOTICE = {
  unconfirmed: "contact_state.unconfirmed",
  unsubscribed: "contact_state.unsubscribed",
  broken: "contact_state.broken",
} as const satisfies Partial<Record<ContactState, TextId>>;
