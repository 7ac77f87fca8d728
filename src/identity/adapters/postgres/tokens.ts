import { and, eq, getTableColumns, gt, inArray, lt, lte, sql } from "drizzle-orm";
import type { Database } from "../../../database/postgres.ts";
import { placeholdersOf, prepared, valuesOf } from "../../../database/prepared.ts";
import type { EmailChangeRepository } from "../../account/profile_ports.ts";
import type { LoginCodeRepository, ResetTokenRepository } from "../../ports.ts";
import { entity } from "./entity.ts";
import { emailChangesTable, loginCodesTable, resetTokensTable } from "./tables.ts";

const id = eq(loginCodesTable.id, sql.placeholder("id"));
const SAVE = prepared((database) => {
  const changed = Object.entries(getTableColumns(loginCodesTable)).map(([key, { name }]) => [
    key,
    sql`excluded.${sql.identifier(name)}`,
  ]);
  return database
    .insert(loginCodesTable)
    .values(placeholdersOf(loginCodesTable))
    .onConflictDoUpdate({ target: loginCodesTable.id, set: Object.fromEntries(changed) });
});
const FIND = prepared((database) => database.select().from(loginCodesTable).where(id));
const COUNT_TRY = prepared((database) => {
  const { mac, tries, expiresAt } = loginCodesTable;
  const isOpen = and(id, lt(tries, sql.placeholder("limit")), gt(expiresAt, sql.placeholder("now")));
  const counted = database.update(loginCodesTable).set({ tries: sql`${tries} + 1` });
  return counted.where(isOpen).returning({ mac, tries });
});
const REMOVE = prepared((database) => database.delete(loginCodesTable).where(id).returning({ id: loginCodesTable.id }));

export function postgresLoginCodes(tx: Database): LoginCodeRepository {
  const codes = loginCodesTable;
  return {
    async save(code) {
      await SAVE(tx, valuesOf(codes, code));
    },
    find: async (id) => entity((await FIND(tx, { id }))[0]),
    async countTry(id, limit, now) {
      return entity((await COUNT_TRY(tx, { id, limit, now }))[0]);
    },
    async remove(id) {
      return (await REMOVE(tx, { id })).length === 1;
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
