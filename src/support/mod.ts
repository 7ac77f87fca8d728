import { keeping } from "./keeping.ts";
import { ownTickets } from "./own_tickets.ts";
import type { SupportDeps } from "./ports.ts";
import { staffTickets } from "./staff_tickets.ts";
import { submit } from "./submit.ts";

export type { SupportDeps, SupportStore } from "./ports.ts";

/** Tickets and feedback: submitted by accounts, mailed to staff, answered, and deleted after their retention period. */
export function createSupport(deps: SupportDeps) {
  return { ...submit(deps), ...ownTickets(deps), ...staffTickets(deps), ...keeping(deps) };
}

export type Support = ReturnType<typeof createSupport>;
