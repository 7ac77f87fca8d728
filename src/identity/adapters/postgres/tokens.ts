import { and, eq, gt, inArray, lt, lte, sql } from "drizzle-orm";
import { withoutNulls } from "../../../database/nulls.ts";
import type { Database } from "../../../database/postgres.ts";
import type { EmailChangeRepository } from "../../account/profile_ports.ts";
import type { LoginCodeRepository, ResetTokenRepository } from "../../ports.ts";
import { emailChangesTable, loginCodesTable, resetTokensTable } from "./tables.ts";

export function postgresLoginCodes(tx: Database): LoginCodeRepository {
  const codes = loginCodesTable;
  return {
    async save(code) {
      // Undefined would leave a column unchanged.
      const row = { ...code, mac: code.mac ?? null, sentAt: code.sentAt ?? null };
      await tx.insert(codes).values(row).onConflictDoUpdate({ target: codes.id, set: row });
    },
    find: async (id) => withoutNulls((await tx.select().from(codes).where(eq(codes.id, id)))[0]),
    async countTry(id, limit, now) {
      const { mac, tries, expiresAt } = codes;
      const isOpen = and(eq(codes.id, id), lt(tries, limit), gt(expiresAt, now));
      const counted = tx
        .update(codes)
        .set({ tries: sql`${tries} + 1` })
        .where(isOpen);
      return withoutNulls((await counted.returning({ mac, tries }))[0]);
    },
    async remove(id) {
      return (await tx.delete(codes).where(eq(codes.id, id)).returning({ id: codes.id })).length === 1;
    },
    async removeByAccount(accountId) {
      await tx.delete(codes).where(eq(codes.accountId, accountId));
    },
    async removeExpired(before) {
      const over = tx.select({ id: codes.id }).from(codes).where(lte(codes.expiresAt, before));
      await tx.delete(codes).where(inArray(codes.id, over.for("update", { skipLocked: true })));
    },
  };
}

export function postgresResetTokens(tx: Database): ResetTokenRepository {
  const tokens = resetTokensTable;
  const living = (tokenHash: string, now: Date) => and(eq(tokens.tokenHash, tokenHash), gt(tokens.expiresAt, now));
  return {
    async save(token) {
      const saved = tx
        .insert(tokens)
        .values(token)
        .onConflictDoUpdate({ target: tokens.accountId, set: token, setWhere: lt(tokens.createdAt, token.createdAt) });
      return (await saved.returning({ accountId: tokens.accountId })).length === 1;
    },
    findLiving: async (tokenHash, now) => (await tx.select().from(tokens).where(living(tokenHash, now)))[0],
    async use(tokenHash, now) {
      const used = tx.delete(tokens).where(living(tokenHash, now));
      return (await used.returning({ accountId: tokens.accountId })).length === 1;
    },
    async remove(accountId) {
      await tx.delete(tokens).where(eq(tokens.accountId, accountId));
    },
    async removeExpired(now) {
      await tx.delete(tokens).where(lte(tokens.expiresAt, now));
    },
  };
}

export function postgresEmailChanges(tx: Database): EmailChangeRepository {
  const changes = emailChangesTable;
  const living = (tokenHash: string, now: Date) => and(eq(changes.tokenHash, tokenHash), gt(changes.expiresAt, now));
  return {
    async save(change) {
      await tx.insert(changes).values(change).onConflictDoUpdate({ target: changes.accountId, set: change });
    },
    async find(accountId, now) {
      const open = and(eq(changes.accountId, accountId), gt(changes.expiresAt, now));
      return (await tx.select().from(changes).where(open))[0];
    },
    findLiving: async (tokenHash, now) => (await tx.select().from(changes).where(living(tokenHash, now)))[0],
    async use(tokenHash, now) {
      const used = tx.delete(changes).where(living(tokenHash, now));
      return (await used.returning({ accountId: changes.accountId })).length === 1;
    },
    async remove(accountId) {
      await tx.delete(changes).where(eq(changes.accountId, accountId));
    },
    async removeExpired(now) {
      await tx.delete(changes).where(lte(changes.expiresAt, now));
    },
  };
}
