import { and, asc, eq, isNull, lt, lte, or, sql } from "drizzle-orm";
import { withNulls, withoutNulls } from "../../../database/nulls.ts";
import type { Database } from "../../../database/postgres.ts";
import type { TelegramRepository } from "../../telegram/telegram_ports.ts";
import { telegramLeaseTable, telegramLinkTable, telegramUpdateTable } from "./tables.ts";

const NAME = "updates";

export function postgresTelegram(tx: Database): TelegramRepository {
  return {
    async putLink(link) {
      const row = withNulls(link);
      await tx
        .insert(telegramLinkTable)
        .values(row)
        .onConflictDoUpdate({ target: telegramLinkTable.contactId, set: row });
    },
    async findLink(by) {
      const { contactId, tokenHash } = telegramLinkTable;
      const where = "contactId" in by ? eq(contactId, by.contactId) : eq(tokenHash, by.tokenHash);
      const [row] = await tx.select().from(telegramLinkTable).where(where).for("update");
      return row && withoutNulls(row);
    },
    async removeLink(contactId) {
      await tx.delete(telegramLinkTable).where(eq(telegramLinkTable.contactId, contactId));
    },
    async listLinks(accountId) {
      const { accountId: owner, contactId } = telegramLinkTable;
      return (await tx.select().from(telegramLinkTable).where(eq(owner, accountId)).orderBy(asc(contactId))).map(
        withoutNulls,
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
    async endLease(holder) {
      await tx.delete(telegramLeaseTable).where(eq(telegramLeaseTable.holder, holder));
    },
  };
}
