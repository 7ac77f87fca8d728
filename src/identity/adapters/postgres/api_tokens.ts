import { and, desc, eq, gt, isNull, lte, or, sql } from "drizzle-orm";
import { withoutNulls } from "../../../database/nulls.ts";
import type { Database } from "../../../database/postgres.ts";
import { EVERY_MS, FULL_MS } from "../../api_tokens/api_allowance.ts";
import type { ApiTokenRepository } from "../../api_tokens/api_token_ports.ts";
import { apiTokensTable, usersTable } from "./tables.ts";

export function postgresApiTokens(tx: Database): ApiTokenRepository {
  const tokens = apiTokensTable;
  return {
    async add(token) {
      await tx.insert(tokens).values(token);
    },
    async findLiving(tokenHash, now) {
      const living = or(isNull(tokens.expiresAt), gt(tokens.expiresAt, now));
      const [row] = await tx
        .select({ token: tokens, language: usersTable.language })
        .from(tokens)
        .innerJoin(usersTable, eq(usersTable.id, tokens.accountId))
        .where(and(eq(tokens.tokenHash, tokenHash), living, isNull(usersTable.lockedAt)));
      return row && withoutNulls({ ...row.token, language: row.language });
    },
    async list(accountId) {
      const own = tx.select().from(tokens).where(eq(tokens.accountId, accountId));
      return (await own.orderBy(desc(tokens.createdAt), desc(tokens.id))).map(withoutNulls);
    },
    async touch(id, lastUsedAt, lastIpPrefix) {
      await tx.update(tokens).set({ lastUsedAt, lastIpPrefix }).where(eq(tokens.id, id));
    },
    async take(id, now) {
      const { busyUntil } = tokens;
      const hasRoom = lte(busyUntil, new Date(now.getTime() + FULL_MS - EVERY_MS));
      const next = sql`greatest(${busyUntil}, ${sql.param(now, busyUntil)}) + ${EVERY_MS}::integer * interval '1 millisecond'`;
      const granting = tx
        .update(tokens)
        .set({ busyUntil: next })
        .where(and(eq(tokens.id, id), hasRoom));
      const [granted] = await granting.returning({ busyUntil });
      if (granted) return { granted: true, ...granted };
      const [busy] = await tx.select({ busyUntil }).from(tokens).where(eq(tokens.id, id));
      return { granted: false, busyUntil: busy?.busyUntil ?? now };
    },
    async remove(accountId, id) {
      const own = and(eq(tokens.accountId, accountId), eq(tokens.id, id));
      return withoutNulls((await tx.delete(tokens).where(own).returning())[0]);
    },
    async removeAll(accountId) {
      return (await tx.delete(tokens).where(eq(tokens.accountId, accountId)).returning({ id: tokens.id })).length;
    },
    async removeExpired(before) {
      await tx.delete(tokens).where(lte(tokens.expiresAt, before));
    },
  };
}
