import type { EventOf } from "../events/catalogue.ts";
import { TICKET_KINDS } from "./inputs.ts";
import type { SupportDeps } from "./ports.ts";
import { keptSince, type Ticket } from "./ticket.ts";

const BATCH = 100;
const PAGE = 200;

/** Data export, deletion with the account, and retention. */
export function keeping({ transaction, now }: SupportDeps) {
  /** One page per transaction, as transactions are kept short. */
  async function told(accountId: string, kind: Ticket["kind"]) {
    const all: unknown[] = [];
    for (let offset = 0; ; offset += PAGE) {
      const page = await transaction(async ({ tickets, posts }) => {
        const found = (await tickets.pageOwn(accountId, kind, { offset, limit: PAGE })).tickets;
        const whole: unknown[] = [];
        for (const { accountId: _, ...ticket } of found) {
          const said = await posts.list(ticket.id);
          whole.push({ ...ticket, posts: said.map(({ ticketId: _, ...post }) => post) });
        }
        return whole;
      });
      all.push(...page);
      if (page.length < PAGE) return all;
    }
  }

  return {
    /** For the account's data export. */
    async recordsOf(accountId: string) {
      const tickets: unknown[] = [];
      for (const kind of TICKET_KINDS) tickets.push(...(await told(accountId, kind)));
      return { tickets };
    },

    /** The texts are personal data, so tickets are deleted as a whole. */
    onDeleted({ accountId }: EventOf<"identity.deleted">): Promise<void> {
      return transaction(({ tickets }) => tickets.removeByAccount(accountId));
    },

    /** Removes tickets that were closed twelve months ago, and expired counters. */
    async cleanUp(): Promise<void> {
      const before = keptSince(now());
      while ((await transaction(({ tickets }) => tickets.removeClosed(before, BATCH))) === BATCH);
      await transaction(({ limits }) => limits.removeExpired(now()));
    },
  };
}
