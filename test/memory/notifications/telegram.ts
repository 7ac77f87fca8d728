import type { TelegramLink, TelegramRepository } from "../../../src/notifications/telegram/telegram_ports.ts";
import type { MemoryTables } from "../database.ts";

export function memoryTelegram(tables: MemoryTables): TelegramRepository {
  const links = tables<TelegramLink>("notifications.telegram_link");
  const seen = tables<{ at: Date }>("notifications.telegram_update");
  const leases = tables<{ holder: string; until: Date }>("notifications.telegram_lease");
  return {
    async putLink(link) {
      links.set(link.contactId, link);
    },
    findLink: async (by) =>
      "contactId" in by ? links.get(by.contactId) : links.find(({ tokenHash }) => tokenHash === by.tokenHash),
    async removeLink(contactId) {
      links.delete(contactId);
    },
    listLinks: async (accountId) =>
      links
        .filter((link) => link.accountId === accountId)
        .toSorted((one, other) => (one.contactId < other.contactId ? -1 : 1)),
    async removeExpired(now) {
      links.removeWhere(({ usedAt, expiresAt }) => usedAt === undefined && expiresAt <= now);
    },
    async removeByAccount(accountId) {
      links.removeWhere((link) => link.accountId === accountId);
    },
    hasSeen: async (updateId) => seen.get(String(updateId)) !== undefined,
    async markSeen(updateId, now, since) {
      seen.removeWhere(({ at }) => at < since);
      seen.set(String(updateId), { at: now });
    },
    async lease(holder, now, until) {
      const held = leases.get("updates");
      if (held && held.holder !== holder && held.until > now) return false;
      leases.set("updates", { holder, until });
      return true;
    },
    async endLease(holder) {
      if (leases.get("updates")?.holder === holder) leases.delete("updates");
    },
  };
}
