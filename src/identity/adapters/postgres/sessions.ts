import { and, desc, eq, gt, inArray, lte, ne, or, sql } from "drizzle-orm";
import { listed, rendered, selectRows } from "../../../database/lists.ts";
import { withoutNulls } from "../../../database/nulls.ts";
import type { Database } from "../../../database/postgres.ts";
import type { Session, SessionRepository } from "../../ports.ts";
import { sessionsTable, usersTable } from "./tables.ts";

/** Other sessions of the same account and level. */
function othersOf({ id, accountId, level }: Pick<Session, "id" | "accountId" | "level">) {
  return and(eq(sessionsTable.accountId, accountId), eq(sessionsTable.level, level), ne(sessionsTable.id, id));
}

type Reader = Pick<typeof usersTable.$inferSelect, "language" | "staff">;
/** Rendered once, as every request looks its session up. */
const withReaders = rendered(sql`select ${sessionsTable}.*, ${usersTable.language}, ${usersTable.staff}
  from ${sessionsTable} join ${usersTable} on ${usersTable.id} = ${sessionsTable.accountId}`);

export function postgresSessions(tx: Database): SessionRepository {
  const sessions = sessionsTable;
  return {
    async findLiving(tokenHash, now) {
      const { language, staff, deviceEpoch } = usersTable;
      const [row] = await tx
        .select({ session: sessions, language, staff, deviceEpoch })
        .from(sessions)
        .innerJoin(usersTable, eq(usersTable.id, sessions.accountId))
        .where(and(eq(sessions.tokenHash, tokenHash), gt(sessions.expiresAt, now)));
      return (
        row && withoutNulls({ ...row.session, language: row.language, staff: row.staff, deviceEpoch: row.deviceEpoch })
      );
    },
    listLiving(tokenHashes, now) {
      const living = sql`${sessions.expiresAt} > ${now.toISOString()}::timestamptz`;
      const these = sql`${sessions.tokenHash} = any(${listed(tokenHashes)}) and ${living}`;
      return selectRows<typeof sessions, Reader>(tx, sessions, sql`${withReaders} where ${these}`, [
        "language",
        "staff",
      ]);
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
        withoutNulls(row),
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
      const others = sql<number>`(select count(*)::integer from ${sessions} where ${othersOf(session)})`;
      const [opened] = await tx.insert(sessions).values(session).returning({ others });
      if ((opened?.others ?? 0) < most) return;
      const newestFirst = tx.select({ id: sessions.id }).from(sessions).where(othersOf(session));
      const surplus = newestFirst.orderBy(desc(sessions.createdAt)).offset(most - 1);
      // Skips locked rows: they are being ended anyway, and waiting for them could deadlock.
      const free = tx.select({ id: sessions.id }).from(sessions).where(inArray(sessions.id, surplus));
      await tx.delete(sessions).where(inArray(sessions.id, free.for("update", { skipLocked: true })));
    },
    async removeByAccount(accountId) {
      await tx.delete(sessions).where(eq(sessions.accountId, accountId));
    },
    async endByProvider({ provider, subject, sid }) {
      const by = sessions.provider;
      const ofSubject = subject === undefined ? undefined : sql`${by}->>'subject' = ${subject}`;
      const hasNoSid = subject === undefined ? undefined : sql`${by}->>'sid' is null`;
      const ofSid = sid === undefined ? undefined : or(sql`${by}->>'sid' = ${sid}`, hasNoSid);
      if (!ofSubject && !ofSid) return [];
      const ended = await tx
        .delete(sessions)
        .where(and(sql`${by}->>'provider' = ${provider}`, ofSubject, ofSid))
        .returning({ accountId: sessions.accountId, level: sessions.level });
      return ended.filter(({ level }) => level === "authenticated").map(({ accountId }) => accountId);
    },
    async removeExpired(now) {
      const over = tx.select({ id: sessions.id }).from(sessions).where(lte(sessions.expiresAt, now));
      await tx.delete(sessions).where(inArray(sessions.id, over.for("update", { skipLocked: true })));
    },
  };
}
