import { describe, expect, test } from "bun:test";
import { newToken } from "../../src/runtime/crypto.ts";
import { postgresSupport } from "../../src/support/adapters/postgres/store.ts";
import { referenceFrom } from "../../src/support/reference.ts";
import type { Post, Ticket } from "../../src/support/ticket.ts";
import { memorySupport } from "../memory/support/store.ts";
import { ALICE, BOB } from "../support/builders.ts";
import { HOUR } from "../support/clock.ts";
import { eachDatabase } from "../support/postgres.ts";
import { takePublished } from "../support/published.ts";
import { aTicketInput, SENDER, supportWorld, aTicket as ticketOf } from "../tickets/support_world.ts";

const NOW = new Date("2026-11-20T12:00:00.123Z");
const LIMIT = { most: 2, windowMs: HOUR };
const ALL = { offset: 0, limit: 100 };
const ANY = { kind: undefined, state: undefined, type: undefined, priority: undefined, reference: "" };

const aTicket = (more: Partial<Ticket> = {}) =>
  ticketOf({ reference: referenceFrom(newToken()), key: crypto.randomUUID(), ...more });
const aPost = (ticket: Ticket, more: Partial<Post> = {}): Post => ({
  id: Bun.randomUUIDv7(),
  ticketId: ticket.id,
  key: crypto.randomUUID(),
  by: "staff",
  text: "So.",
  at: NOW,
  ...more,
});

describe.each(eachDatabase(memorySupport, postgresSupport))("SupportStore on %s", (_, open) => {
  test("returns tickets as added, with and without all optional values", async () => {
    const { transaction } = await open();
    const whole = aTicket({ closedAt: NOW, state: "closed" });
    const bare = aTicket({ kind: "feedback", priority: undefined, subject: undefined, company: undefined });
    await transaction(async ({ tickets }) => {
      for (const ticket of [whole, bare]) expect(await tickets.add(ticket)).toBe(true);
    });
    await transaction(async ({ tickets }) => {
      for (const ticket of [whole, bare]) {
        expect(await tickets.find(ticket.reference)).toEqual(ticket);
        expect(await tickets.findForUpdate(ticket.reference)).toEqual(ticket);
        expect(await tickets.findByKey(ticket.accountId, ticket.key)).toEqual(ticket);
      }
      expect(await tickets.find("BB-2222-2222")).toBeUndefined();
      expect(await tickets.findForUpdate("BB-2222-2222")).toBeUndefined();
      expect(await tickets.findByKey(BOB.accountId, whole.key)).toBeUndefined();
    });
  });

  test("accepts a reference once, for any account, and continues after that", async () => {
    const { transaction } = await open();
    const first = aTicket();
    await transaction(async ({ tickets }) => {
      expect(await tickets.add(first)).toBe(true);
      expect(await tickets.add(aTicket({ reference: first.reference, accountId: BOB.accountId }))).toBe(false);
      expect(await tickets.find(first.reference)).toEqual(first);
    });
  });

  test("refuses a second one with an account's idempotency key", async () => {
    const { transaction } = await open();
    const first = aTicket();
    await transaction(({ tickets }) => tickets.add(first));
    await expect(transaction(({ tickets }) => tickets.add(aTicket({ key: first.key })))).rejects.toThrow();
    expect(await transaction(({ tickets }) => tickets.add(aTicket({ key: first.key, accountId: BOB.accountId })))).toBe(
      true,
    );
  });

  test("changes the state of one ticket, and nothing else", async () => {
    const { transaction } = await open();
    const [ticket, other] = [aTicket(), aTicket()];
    const later = new Date(NOW.getTime() + HOUR);
    const closed = { state: "closed", changedAt: later, closedAt: later } as const;
    await transaction(async ({ tickets }) => {
      await tickets.add(ticket);
      await tickets.add(other);
      await tickets.setState({ ...ticket, ...closed, description: "Something else" } as Ticket);
      expect(await tickets.find(ticket.reference)).toEqual({ ...ticket, ...closed });
      await tickets.setState({ ...ticket, changedAt: later });
      expect(await tickets.find(ticket.reference)).toEqual({ ...ticket, changedAt: later });
      expect(await tickets.find(other.reference)).toEqual(other);
    });
  });

  test("lists an account's own by kind, last changed first, page by page", async () => {
    const { transaction } = await open();
    const at = (hours: number) => ({ changedAt: new Date(NOW.getTime() + hours * HOUR) });
    const mine = [aTicket(at(3)), aTicket(at(2)), aTicket(at(1))];
    await transaction(async ({ tickets }) => {
      for (const ticket of mine.toReversed()) await tickets.add(ticket);
      await tickets.add(aTicket({ accountId: BOB.accountId }));
      await tickets.add(aTicket({ kind: "feedback" }));
      expect(await tickets.pageOwn(ALICE.accountId, "ticket", ALL)).toEqual({ tickets: mine, total: 3 });
      const second = await tickets.pageOwn(ALICE.accountId, "ticket", { offset: 2, limit: 2 });
      expect(second).toEqual({ tickets: mine.slice(2), total: 3 });
    });
  });

  test("lists all: open ones by priority and waiting time, others by the last change, with every filter", async () => {
    const { transaction } = await open();
    const at = (hours: number) => new Date(NOW.getTime() + hours * HOUR);
    const low = aTicket({ priority: "low", changedAt: at(1) });
    const none = aTicket({ kind: "feedback", type: "critique", priority: undefined, changedAt: at(0) });
    const late = aTicket({ priority: "critical", changedAt: at(3), accountId: BOB.accountId });
    const early = aTicket({ priority: "critical", changedAt: at(2) });
    const closed = aTicket({ priority: "medium", state: "closed", closedAt: at(4), changedAt: at(4) });
    await transaction(async ({ tickets }) => {
      for (const ticket of [low, none, late, early, closed]) await tickets.add(ticket);
      const found = async (filter: Partial<typeof ANY | Parameters<typeof tickets.pageAll>[0]>) =>
        (await tickets.pageAll({ ...ANY, ...filter }, ALL)).tickets;
      expect(await found({ state: "open" })).toEqual([early, late, low, none]);
      expect(await found({})).toEqual([closed, late, early, low, none]);
      expect(await found({ kind: "feedback" })).toEqual([none]);
      expect(await found({ type: "critique" })).toEqual([none]);
      expect(await found({ priority: "critical" })).toEqual([late, early]);
      expect(await found({ reference: closed.reference.slice(0, 9) })).toContainEqual(closed);
      expect(await found({ reference: "-" })).toEqual([]);
      expect(await tickets.pageAll(ANY, { offset: 1, limit: 1 })).toEqual({ tickets: [late], total: 5 });
    });
  });

  test("keeps a conversation in order, each message once", async () => {
    const { transaction } = await open();
    const ticket = aTicket();
    const second = aPost(ticket, { at: new Date(NOW.getTime() + 1), by: "sender" });
    const first = aPost(ticket);
    await transaction(async ({ tickets, posts }) => {
      await tickets.add(ticket);
      for (const post of [second, first]) expect(await posts.add(post)).toBe(true);
      expect(await posts.add(aPost(ticket, { key: first.key }))).toBe(false);
      expect(await posts.list(ticket.id)).toEqual([first, second]);
      expect(await posts.list(crypto.randomUUID())).toEqual([]);
    });
  });

  test("deletes an account's tickets, and those closed before a given time, with their conversations", async () => {
    const { transaction } = await open();
    const closed = [1, 2, 3].map((hours) =>
      aTicket({ state: "closed", closedAt: new Date(NOW.getTime() + hours * HOUR), accountId: BOB.accountId }),
    );
    const [open_, mine] = [aTicket({ accountId: BOB.accountId }), aTicket()];
    await transaction(async ({ tickets, posts }) => {
      for (const ticket of [...closed, open_, mine]) {
        await tickets.add(ticket);
        await posts.add(aPost(ticket));
      }
      await tickets.removeByAccount(ALICE.accountId);
      expect(await tickets.find(mine.reference)).toBeUndefined();
      expect(await posts.list(mine.id)).toEqual([]);
      const before = new Date(NOW.getTime() + 2 * HOUR);
      expect(await tickets.removeClosed(before, 1)).toBe(1);
      expect(await tickets.removeClosed(before, 5)).toBe(1);
      expect(await tickets.removeClosed(before, 5)).toBe(0);
      const left = (await tickets.pageAll(ANY, ALL)).tickets.map(({ reference }) => reference).toSorted();
      expect(left).toEqual([open_, closed[2]].map((ticket) => ticket?.reference ?? "").toSorted());
      expect(await posts.list(open_.id)).toHaveLength(1);
    });
  });

  test("counts within a window, takes back, and deletes expired counters", async () => {
    const { transaction } = await open();
    const later = new Date(NOW.getTime() + HOUR);
    await transaction(async ({ limits }) => {
      const counts: number[] = [];
      for (let time = 0; time < 4; time++) counts.push((await limits.count("one", LIMIT, NOW)).count);
      expect(counts).toEqual([1, 2, 3, 3]);
      expect((await limits.count("other", LIMIT, NOW)).count).toBe(1);
      await limits.giveBack("one");
      expect(await limits.count("one", LIMIT, NOW)).toEqual({ count: 3, until: later });
      await limits.giveBack("nobody");
      expect((await limits.count("one", LIMIT, later)).count).toBe(1);
      await limits.removeExpired(later);
      expect((await limits.count("one", LIMIT, later)).count).toBe(2);
      expect((await limits.count("other", LIMIT, later)).count).toBe(1);
    });
  });

  test("rolls back on failure, events included, and refuses nested transactions", async () => {
    const { transaction, outbox } = await open();
    const ticket = aTicket();
    const fails = transaction(async ({ tickets, events }) => {
      await tickets.add(ticket);
      await events.publish({ type: "identity.deleted", accountId: ALICE.accountId });
      throw new Error("No");
    });
    await expect(fails).rejects.toThrow("No");
    expect(await transaction(({ tickets }) => tickets.find(ticket.reference))).toBeUndefined();
    expect(await takePublished(outbox)).toEqual([]);
    await expect(transaction(() => transaction(async () => undefined))).rejects.toThrow();
  });

  test("creates one ticket for ten concurrent clicks, and admits ten of thirty concurrent ones", async () => {
    const { support, mails, sent } = supportWorld(await open());
    const input = aTicketInput();
    const clicks = await Promise.all(Array.from({ length: 10 }, () => support.sendTicket(input, SENDER)));
    expect(new Set(clicks.map((click) => click.ok && click.value.reference)).size).toBe(1);
    expect(clicks[0]?.ok).toBe(true);
    expect(await mails()).toHaveLength(2);

    const many = Array.from({ length: 30 }, () => support.sendTicket(aTicketInput(), SENDER));
    expect((await Promise.all(many)).filter(({ ok }) => ok)).toHaveLength(9);
    const others = Array.from({ length: 30 }, (_, index) => {
      const sender = { ...SENDER, ip: "198.51.100.9", accountId: crypto.randomUUID() };
      return sent({}, sender).catch(() => `refused ${index}`);
    });
    expect((await Promise.all(others)).filter((reference) => reference.startsWith("BB-"))).toHaveLength(10);
  });

  test("stores one of several concurrent identical replies", async () => {
    const { support, sent, published } = supportWorld(await open());
    const reference = await sent();
    await published();
    const post = { text: "Once", key: crypto.randomUUID() };
    const actor = { by: "command_line" } as const;
    await Promise.all(Array.from({ length: 8 }, () => support.answerTicket(actor, reference, post)));
    expect((await published()).map(({ type }) => type).toSorted()).toEqual(["mail.requested", "staff.acted"]);
  });
});
