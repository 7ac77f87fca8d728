import type { MailRequested } from "../../src/events/catalogue.ts";
import { keysOf, newToken } from "../../src/runtime/crypto.ts";
import type { FeedbackInput, TicketInput } from "../../src/support/inputs.ts";
import { createSupport } from "../../src/support/mod.ts";
import type { SupportDeps, SupportStore } from "../../src/support/ports.ts";
import { newTicket, type Ticket } from "../../src/support/ticket.ts";
import { memoryDatabase } from "../memory/database.ts";
import { memoryOutbox } from "../memory/events/outbox.ts";
import { memorySupport } from "../memory/support/store.ts";
import { ALICE } from "../support/builders.ts";
import { testClock } from "../support/clock.ts";
import type { TestStore } from "../support/postgres.ts";
import { takePublished } from "../support/published.ts";

const keys = keysOf("a secret of the tests, long enough to be one");
export const DESK = "desk@breachbell.example";

export const SENDER = { accountId: ALICE.accountId, language: "fr", ip: "203.0.113.7" } as const;

export function aTicketInput(more: Partial<TicketInput> = {}): TicketInput {
  return {
    firstName: "Alice",
    lastName: "Meyer",
    email: "alice@work.example",
    company: "Meyer AG",
    type: "technical",
    priority: "high",
    subject: "No mails",
    description: "Since Monday.\nNothing arrives.",
    privacy: true,
    key: crypto.randomUUID(),
    ...more,
  };
}

export function aFeedbackInput(more: Partial<FeedbackInput> = {}): FeedbackInput {
  const { subject: _, priority: __, ...rest } = aTicketInput();
  return { ...rest, type: "suggestion", company: undefined, ...more };
}

/** As sent by Alice. */
export function aTicket(more: Partial<Ticket> = {}): Ticket {
  const now = new Date("2026-11-20T12:00:00.123Z");
  const sent = { ...SENDER, id: Bun.randomUUIDv7(), reference: "BB-7K3F-92QX", now };
  return { ...newTicket(aTicketInput(), sent), ...more };
}

export function memoryStore(): TestStore<SupportStore> {
  const database = memoryDatabase();
  return { transaction: database.transactionOf(memorySupport), outbox: memoryOutbox(database) };
}

/** The support module alone. `tokens`: used for the first references, before random ones. */
export function supportWorld({ transaction, outbox } = memoryStore(), tokens: string[] = []) {
  const clock = testClock();
  const deps: SupportDeps = {
    transaction,
    ...keys,
    now: clock.now,
    newId: () => Bun.randomUUIDv7(),
    supportEmail: DESK,
    ownAddress: { of: async (accountId) => (accountId === ALICE.accountId ? ALICE.address : undefined) },
    newToken: () => tokens.shift() ?? newToken(),
  };
  const support = createSupport(deps);
  const published = () => takePublished(outbox);
  return {
    clock,
    support,
    transaction,
    outbox,
    published,
    secretOf,
    mails: async () => (await published()).filter((event): event is MailRequested => event.type === "mail.requested"),
    /** Sends a ticket and returns its reference. */
    async sent(more: Partial<TicketInput> = {}, sender: Parameters<typeof support.sendTicket>[1] = SENDER) {
      const sent = await support.sendTicket(aTicketInput(more), sender);
      if (!sent.ok) throw new Error(`Cannot send: ${sent.code}`);
      return sent.value.reference;
    },
  };
}

/** Content that only the mail's recipient may read. */
export function secretOf(mail: MailRequested | undefined): Record<string, string> {
  return mail?.sealed === undefined ? {} : (JSON.parse(keys.cipher.decrypt(mail.sealed)) as Record<string, string>);
}
