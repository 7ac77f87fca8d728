import { and, asc, eq, lte, ne, sql } from "drizzle-orm";
import { listed } from "../../../database/lists.ts";
import { withoutNulls } from "../../../database/nulls.ts";
import type { Database } from "../../../database/postgres.ts";
import type { AliasRepository } from "../../alias_ports.ts";
import { aliasTable } from "./tables.ts";

export function postgresAliases(tx: Database): AliasRepository {
  const { id: ids, associationId: associations, accountId: accounts, address, state, mailAt } = aliasTable;
  const byAddress = asc(address);
  return {
    async list(associationId) {
      const rows = await tx.select().from(aliasTable).where(eq(associations, associationId)).orderBy(byAddress);
      return rows.map(withoutNulls);
    },
    async listByAccount(accountId) {
      const rows = await tx.select().from(aliasTable).where(eq(accounts, accountId)).orderBy(byAddress);
      return rows.map(withoutNulls);
    },
    async listTracked(accountId, addresses) {
      if (addresses.length === 0) return [];
      const rows = await tx
        .select({ address })
        .from(aliasTable)
        .where(and(eq(accounts, accountId), sql`${address} = any(${listed(addresses)})`));
      return rows.map((row) => row.address);
    },
    async addAll(aliases) {
      if (aliases.length > 0) await tx.insert(aliasTable).values(aliases);
    },
    async findByToken(tokenHash) {
      const [row] = await tx.select().from(aliasTable).where(eq(aliasTable.tokenHash, tokenHash)).for("update");
      return withoutNulls(row);
    },
    async save({ id, origin, state, tokenHash = null, mailAt = null, expiresAt = null }) {
      const saved = await tx
        .update(aliasTable)
        .set({ origin, state, tokenHash, mailAt, expiresAt })
        .where(eq(ids, id))
        .returning({ id: ids });
      return saved.length === 1;
    },
    async listWaitingAccounts(now) {
      const rows = await tx.selectDistinct({ accountId: accounts }).from(aliasTable).where(lte(mailAt, now));
      return rows.map(({ accountId }) => accountId).toSorted();
    },
    async findWaiting(accountId, now) {
      const [row] = await tx
        .select()
        .from(aliasTable)
        .where(and(eq(accounts, accountId), lte(mailAt, now)))
        .orderBy(asc(mailAt), asc(ids))
        .limit(1);
      return withoutNulls(row);
    },
    async remove(accountId, associationId, id) {
      const [row] = await tx
        .delete(aliasTable)
        .where(and(eq(ids, id), eq(associations, associationId), eq(accounts, accountId)))
        .returning();
      return withoutNulls(row);
    },
    async removeByAssociation(associationId) {
      await tx.delete(aliasTable).where(eq(associations, associationId));
    },
    async removeOfOthers(forOwn, accountId) {
      const isTheirs = and(eq(address, forOwn), ne(accounts, accountId), ne(aliasTable.origin, "rule"));
      await tx
        .update(aliasTable)
        .set({ tokenHash: null })
        .where(and(isTheirs, eq(state, "pending")));
      return (
        await tx
          .delete(aliasTable)
          .where(and(isTheirs, eq(state, "active")))
          .returning()
      ).map(withoutNulls);
    },
    async removeExpired(now) {
      const removed = await tx
        .delete(aliasTable)
        .where(and(eq(state, "pending"), lte(aliasTable.expiresAt, now)))
        .returning({ id: ids });
      return removed.length;
    },
  };
}
