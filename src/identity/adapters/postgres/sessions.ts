import { and, desc, eq, gt, inArray, lte, ne, sql } from "drizzle-orm";
import { listed } from "../../../database/lists.ts";
import type { Database } from "../../../database/postgres.ts";
import { placeholdersOf, prepared, valuesOf } from "../../../database/prepared.ts";
import type { SessionRepository } from "../../ports.ts";
import { entity } from "./entity.ts";
import { sessionsTable, usersTable } from "./tables.ts";

const LIST_LIVING = prepared((database) => {
  const { id, tokenHash, accountId, level, confirmedAt, createdAt, lastSeenAt, expiresAt } = sessionsTable;
  const { language, staff } = usersTable;
  return database
    .select({ id, tokenHash, accountId, level, confirmedAt, createdAt, lastSeenAt, language, staff })
    .from(sessionsTable)
    .innerJoin(usersTable, eq(usersTable.id, accountId))
    .where(
      and(sql`${tokenHash} = any(${listed(sql.placeholder("tokenHashes"))})`, gt(expiresAt, sql.placeholder("now"))),
    );
});

const FIND_LIVING = prepared((database) =>
  database
    .select({
      session: sessionsTable,
      language: usersTable.language,
      staff: usersTable.staff,
      deviceEpoch: usersTable.deviceEpoch,
    })
    .from(sessionsTable)
    .innerJoin(usersTable, eq(usersTable.id, sessionsTable.accountId))
    .where(
      and(
        eq(sessionsTable.tokenHash, sql.placeholder("tokenHash")),
        gt(sessionsTable.expiresAt, sql.placeholder("now")),
      ),
    ),
);
/** Other sessions of the same account and level. */
const OTHERS = and(
  eq(sessionsTable.accountId, sql.placeholder("accountId")),
  eq(sessionsTable.level, sql.placeholder("level")),
  ne(sessionsTable.id, sql.placeholder("id")),
);
const OPEN = prepared((database) => {
  const others = sql<number>`(select count(*)::integer from ${sessionsTable} where ${OTHERS})`;
  return database.insert(sessionsTable).values(placeholdersOf(sessionsTable)).returning({ others });
});
const END_SURPLUS = prepared((database) => {
  const { id, createdAt } = sessionsTable;
  const newestFirst = database.select({ id }).from(sessionsTable).where(OTHERS).orderBy(desc(createdAt));
  // Skips locked rows: they are being ended anyway, and waiting for them could deadlock.
  const surplus = inArray(id, newestFirst.offset(sql.placeholder("kept")));
  const free = database.select({ id }).from(sessionsTable).where(surplus).for("update", { skipLocked: true });
  return database.delete(sessionsTable).where(inArray(id, free));
});

export function postgresSessions(tx: Database): SessionRepository {
  const sessions = sessionsTable;
  return {
    async add(session) {
      await tx.insert(sessions).values(session);
    },
    async findLiving(tokenHash, now) {
      const [row] = await FIND_LIVING(tx, { tokenHash, now });
      return row && entity({ ...row.session, language: row.language, staff: row.staff, deviceEpoch: row.deviceEpoch });
    },
    async listLiving(tokenHashes, now) {
      const rows = await LIST_LIVING(tx, { tokenHashes: JSON.stringify(tokenHashes), now });
      return rows.map((row) => entity(row));
    },
    async touch(id, lastSeenAt, expiresAt) {
      await tx.update(sessions).set({ lastSeenAt, expiresAt }).where(eq(sessions.id, id));
    },
    async remove(tokenHash) {
      await tx.delete(sessions).where(eq(sessions.tokenHash, tokenHash));
    },
    async list(accountId, now) {
      const living = and(
        eq(sessions.accountId, accountId),
        eq(sessions.level, "authenticated"),
        gt(sessions.expiresAt, now),
      );
      return (await tx.select().from(sessions).where(living).orderBy(desc(sessions.lastSeenAt))).map((row) =>
        entity(row),
      );
    },
    async end(accountId, id) {
      const own = and(eq(sessions.accountId, accountId), eq(sessions.id, id));
      return (await tx.delete(sessions).where(own).returning({ id: sessions.id })).length === 1;
    },
    async endOthers(accountId, id) {
      const others = and(eq(sessions.accountId, accountId), ne(sessions.id, id));
      return (await tx.delete(sessions).where(others).returning({ id: sessions.id })).length;
    },
    async confirm({ id, tokenHash }, newTokenHash, now) {
      const renewed = tx
        .update(sessions)
        .set({ tokenHash: newTokenHash, confirmedAt: now })
        .where(and(eq(sessions.id, id), eq(sessions.tokenHash, tokenHash)));
      return (await renewed.returning({ id: sessions.id })).length === 1;
    },
    async setPasskeyChallenge(id, passkeyChallenge) {
      await tx.update(sessions).set({ passkeyChallenge }).where(eq(sessions.id, id));
    },
    async takePasskeyChallenge(id) {
      const held = tx.select().from(sessions).where(eq(sessions.id, id)).for("update");
      const challenge = (await held)[0]?.passkeyChallenge ?? undefined;
      if (challenge !== undefined) await tx.update(sessions).set({ passkeyChallenge: null }).where(eq(sessions.id, id));
      return challenge;
    },
    async open(session, most) {
      const [{ others } = { others: 0 }] = await OPEN(tx, valuesOf(sessions, session));
      if (others >= most) await END_SURPLUS(tx, { ...session, kept: most - 1 });
    },
    async removeByAccount(accountId) {
      await tx.delete(sessions).where(eq(sessions.accountId, accountId));
    },
    async removeExpired(now) {
      const over = tx.select({ id: sessions.id }).from(sessions).where(lte(sessions.expiresAt, now));
      await tx.delete(sessions).where(inArray(sessions.id, over.for("update", { skipLocked: true })));
    },
  };
}
