import { keeping } from "./keeping.ts";
import { ownTickets } from "./own_tickets.ts";
import type { SupportDeps } from "./ports.ts";
import { staffTickets } from "./staff_tickets.ts";
import { submit } from "./submit.ts";

export type { SupportDeps, SupportStore } from "./ports.ts";

/** Tickets and feedback: sent by accounts, mailed to the staff, answered by it, and forgotten in time. */
export function createSupport(deps: SupportDeps) {
  return { ...submit(deps), ...ownTickets(deps), ...staffTickets(deps), ...keeping(deps) };
}

export type Support = ReturnType<typeof createSupport>;
