import { and, asc, eq, isNull, lt, lte, or, sql } from "drizzle-orm";
import type { Database } from "../../../database/postgres.ts";
import type { TelegramLink, TelegramRepository } from "../../telegram/telegram_ports.ts";
import { telegramLeaseTable, telegramLinkTable, telegramUpdateTable } from "./tables_telegram.ts";

const NAME = "updates";

function linkOf({ usedAt, candidate, ...row }: typeof telegramLinkTable.$inferSelect): TelegramLink {
  return { ...row, usedAt: usedAt ?? undefined, candidate: candidate ?? undefined };
}

export function postgresTelegram(tx: Database): TelegramRepository {
  return {
    async putLink({ contactId, ...link }) {
      const values = { ...link, usedAt: link.usedAt ?? null, candidate: link.candidate ?? null };
      await tx
        .insert(telegramLinkTable)
        .values({ contactId, ...values })
        .onConflictDoUpdate({ target: telegramLinkTable.contactId, set: values });
    },
    async findLink(by) {
      const { contactId, tokenHash } = telegramLinkTable;
      const where = "contactId" in by ? eq(contactId, by.contactId) : eq(tokenHash, by.tokenHash);
      const [row] = await tx.select().from(telegramLinkTable).where(where).for("update");
      return row && linkOf(row);
    },
    async removeLink(contactId) {
      await tx.delete(telegramLinkTable).where(eq(telegramLinkTable.contactId, contactId));
    },
    async listLinks(accountId) {
      const { accountId: owner, contactId } = telegramLinkTable;
      return (await tx.select().from(telegramLinkTable).where(eq(owner, accountId)).orderBy(asc(contactId))).map(
        linkOf,
      );
    },
    async removeExpired(now) {
      const { usedAt, expiresAt } = telegramLinkTable;
      await tx.delete(telegramLinkTable).where(and(isNull(usedAt), lte(expiresAt, now)));
    },
    async removeByAccount(accountId) {
      await tx.delete(telegramLinkTable).where(eq(telegramLinkTable.accountId, accountId));
    },
    async hasSeen(updateId) {
      const rows = await tx.select().from(telegramUpdateTable).where(eq(telegramUpdateTable.id, updateId));
      return rows.length > 0;
    },
    async markSeen(updateId, now, since) {
      await tx.delete(telegramUpdateTable).where(lt(telegramUpdateTable.seenAt, since));
      await tx.insert(telegramUpdateTable).values({ id: updateId, seenAt: now }).onConflictDoNothing();
    },
    async lease(holder, now, until) {
      const { name, holder: holders, until: ends } = telegramLeaseTable;
      const taken = await tx
        .insert(telegramLeaseTable)
        .values({ name: NAME, holder, until })
        .onConflictDoUpdate({
          target: name,
          set: { holder, until },
          setWhere: sql`${or(eq(holders, holder), lte(ends, now))}`,
        })
        .returning({ name });
      return taken.length === 1;
    },
  };
}
