import { describe, expect, test } from "bun:test";
import { postgresNotifications } from "../../src/notifications/adapters/postgres/store.ts";
import { newContact } from "../../src/notifications/contacts/contact.ts";
import type { TelegramLink } from "../../src/notifications/ports.ts";
import { memoryNotifications } from "../memory/notifications/store.ts";
import { eachDatabase } from "../support/postgres.ts";

const NOW = new Date("2026-03-02T08:00:00.000Z");
const after = (ms: number) => new Date(NOW.getTime() + ms);
const MINUTE = 60_000;

function linkOf(changes: Partial<TelegramLink> = {}): TelegramLink {
  return {
    contactId: crypto.randomUUID(),
    accountId: crypto.randomUUID(),
    tokenHash: crypto.randomUUID(),
    expiresAt: after(15 * MINUTE),
    usedAt: undefined,
    candidate: undefined,
    ...changes,
  };
}

describe.each(eachDatabase(memoryNotifications, postgresNotifications))("TelegramRepository on %s", (_, open) => {
  test("a link is found by its token and by its contact; a new one replaces the contact's", async () => {
    const { transaction } = await open();
    const link = linkOf();
    const other = linkOf();
    const candidate = { id: "7000000001", username: "eve", name: "Eve 🙂", languageCode: undefined };
    await transaction(async ({ telegram }) => {
      await telegram.putLink(link);
      await telegram.putLink(other);
      expect(await telegram.findLink({ tokenHash: link.tokenHash })).toEqual(link);
      expect(await telegram.findLink({ contactId: other.contactId })).toEqual(other);
    });
    const fresh = { ...link, tokenHash: "fresh", usedAt: after(1), candidate };
    await transaction(async ({ telegram }) => {
      await telegram.putLink(fresh);
      expect(await telegram.findLink({ tokenHash: link.tokenHash })).toBeUndefined();
      expect(await telegram.findLink({ contactId: link.contactId })).toMatchObject({
        tokenHash: "fresh",
        usedAt: after(1),
        candidate: { id: "7000000001", name: "Eve 🙂" },
      });
    });
  });

  test("links are listed by their account, and those that expired unused are deleted", async () => {
    const { transaction } = await open();
    const accountId = crypto.randomUUID();
    const candidate = { id: "7000000001", username: "eve", name: "Eve", languageCode: "en" };
    const [living, used, over] = [
      linkOf({ accountId, candidate }),
      linkOf({ accountId, usedAt: after(-MINUTE), expiresAt: after(0) }),
      linkOf({ accountId, candidate, expiresAt: after(0) }),
    ];
    await transaction(async ({ telegram }) => {
      for (const link of [living, used, over, linkOf()]) await telegram.putLink(link);
    });
    await transaction(async ({ telegram }) => {
      expect((await telegram.listLinks(accountId)).map(({ contactId }) => contactId)).toEqual(
        [living, used, over].map(({ contactId }) => contactId).toSorted(),
      );
      await telegram.removeExpired(NOW);
      expect((await telegram.listLinks(accountId)).map(({ contactId }) => contactId)).toEqual(
        [living, used].map(({ contactId }) => contactId).toSorted(),
      );
      expect(await telegram.findLink({ contactId: living.contactId })).toEqual(living);
    });
  });

  test("links are deleted with their account", async () => {
    const { transaction } = await open();
    const [gone, kept] = [linkOf(), linkOf()];
    await transaction(async ({ telegram }) => {
      await telegram.putLink(gone);
      await telegram.putLink(kept);
      await telegram.removeByAccount(gone.accountId);
      expect(await telegram.findLink({ contactId: gone.contactId })).toBeUndefined();
      expect(await telegram.findLink({ contactId: kept.contactId })).toEqual(kept);
    });
  });

  test("an update is remembered until it is too old to be delivered again", async () => {
    const { transaction } = await open();
    await transaction(async ({ telegram }) => {
      expect(await telegram.hasSeen(5_000_000_000)).toBe(false);
      await telegram.markSeen(5_000_000_000, NOW, after(-1));
      await telegram.markSeen(5_000_000_000, NOW, after(-1));
      expect(await telegram.hasSeen(5_000_000_000)).toBe(true);
      await telegram.markSeen(5_000_000_001, after(2), after(1));
      expect(await telegram.hasSeen(5_000_000_000)).toBe(false);
      expect(await telegram.hasSeen(5_000_000_001)).toBe(true);
    });
  });

  test("one of many callers takes the lease, keeps it by renewing, and loses it by expiry", async () => {
    const { transaction } = await open();
    const holders = Array.from({ length: 8 }, () => crypto.randomUUID());
    const take = (holder: string, at: Date) =>
      transaction(({ telegram }) => telegram.lease(holder, at, new Date(at.getTime() + MINUTE)));
    const taken = await Promise.all(holders.map((holder) => take(holder, NOW)));
    expect(taken.filter(Boolean)).toHaveLength(1);
    const winner = holders[taken.indexOf(true)] ?? "";
    const loser = holders[taken.indexOf(false)] ?? "";
    expect(await take(winner, after(30_000))).toBe(true);
    expect(await take(loser, after(MINUTE))).toBe(false);
    expect(await take(loser, after(90_000))).toBe(true);
    expect(await take(winner, after(91_000))).toBe(false);
    await transaction(({ telegram }) => telegram.endLease(winner));
    expect(await take(winner, after(91_000))).toBe(false);
    await transaction(({ telegram }) => telegram.endLease(loser));
    expect(await take(winner, after(91_000))).toBe(true);
  });

  test("contacts are found by their chat, across all accounts", async () => {
    const { transaction } = await open();
    const contactFor = (value: string, chatId: string | undefined) => ({
      ...newContact({
        id: crypto.randomUUID(),
        accountId: crypto.randomUUID(),
        language: "en" as const,
        own: false,
        now: NOW,
        address: { channel: "telegram" as const, value },
      }),
      chatId,
      label: chatId === undefined ? undefined : "@bob (Bob)",
    });
    const contacts = [contactFor("bob_m", "7000000001"), contactFor("bobby", "7000000001"), contactFor("eve_o", "8")];
    const waiting = contactFor("carol", undefined);
    await transaction(async (store) => {
      for (const contact of [...contacts, waiting]) await store.contacts.add(contact);
      const found = await store.contacts.listByChat("7000000001");
      expect(found.map(({ value }) => value).sort()).toEqual(["bob_m", "bobby"]);
      expect(await store.contacts.find(waiting.id)).toEqual(waiting);
      expect(found.find(({ value }) => value === "bob_m")).toEqual(contacts[0]);
    });
  });
});
