import { and, asc, desc, eq, gt, inArray, isNull, lt, lte, sql } from "drizzle-orm";
import type { Database } from "../../database/postgres.ts";
import type { EventPublisher } from "../../events/catalogue.ts";
import type {
  AttemptRepository,
  IdentityStore,
  LoginCodeRepository,
  ResetTokenRepository,
  SessionRepository,
  UserRepository,
} from "../ports.ts";
import { attemptsTable, loginCodesTable, resetTokensTable, sessionsTable, usersTable } from "./tables.ts";

export * from "./tables.ts";

/** The identity store inside one open transaction. */
export function postgresIdentity(tx: Database, events: EventPublisher): IdentityStore {
  return {
    users: postgresUsers(tx),
    sessions: postgresSessions(tx),
    loginCodes: postgresLoginCodes(tx),
    resetTokens: postgresResetTokens(tx),
    attempts: postgresAttempts(tx),
    events,
  };
}

/** A row as its entity: SQL's null is the domain's undefined. */
function entity<Row extends object>(row: Row | undefined) {
  type Entity = { [Key in keyof Row]: null extends Row[Key] ? NonNullable<Row[Key]> | undefined : Row[Key] };
  return row && (Object.fromEntries(Object.entries(row).map(([key, value]) => [key, value ?? undefined])) as Entity);
}

function postgresUsers(tx: Database): UserRepository {
  const users = usersTable;
  return {
    async add(user) {
      const added = await tx
        .insert(users)
        .values(user)
        .onConflictDoNothing({ target: users.email })
        .returning({ id: users.id });
      return added.length === 1;
    },
    find: async (id) => entity((await tx.select().from(users).where(eq(users.id, id)))[0]),
    findByEmail: async (email) => entity((await tx.select().from(users).where(eq(users.email, email)))[0]),
    hold: async (id) => entity((await tx.select().from(users).where(eq(users.id, id)).for("no key update"))[0]),
    async markVerified(id, now) {
      await tx
        .update(users)
        .set({ verifiedAt: now })
        .where(and(eq(users.id, id), isNull(users.verifiedAt)));
    },
    async replacePasswordHash(id, from, to) {
      const matches = and(eq(users.id, id), eq(users.passwordHash, from));
      return (await tx.update(users).set({ passwordHash: to }).where(matches).returning({ id: users.id })).length === 1;
    },
    async removeUnverified(id) {
      const unproven = and(eq(users.id, id), isNull(users.verifiedAt));
      return (await tx.delete(users).where(unproven).returning({ id: users.id })).length === 1;
    },
    async listUnverified(before, limit) {
      const old = and(isNull(users.verifiedAt), lt(users.createdAt, before));
      const rows = await tx.select({ id: users.id }).from(users).where(old).orderBy(asc(users.createdAt)).limit(limit);
      return rows.map(({ id }) => id);
    },
  };
}

function postgresSessions(tx: Database): SessionRepository {
  const sessions = sessionsTable;
  return {
    async add(session) {
      await tx.insert(sessions).values(session);
    },
    async findLiving(tokenHash, now) {
      const [row] = await tx
        .select({ session: sessions, language: usersTable.language })
        .from(sessions)
        .innerJoin(usersTable, eq(usersTable.id, sessions.accountId))
        .where(and(eq(sessions.tokenHash, tokenHash), gt(sessions.expiresAt, now)));
      return row && entity({ ...row.session, language: row.language });
    },
    async touch(id, lastSeenAt, expiresAt) {
      await tx.update(sessions).set({ lastSeenAt, expiresAt }).where(eq(sessions.id, id));
    },
    async remove(tokenHash) {
      await tx.delete(sessions).where(eq(sessions.tokenHash, tokenHash));
    },
    async keepNewest(accountId, level, count) {
      const surplus = tx
        .select({ id: sessions.id })
        .from(sessions)
        .where(and(eq(sessions.accountId, accountId), eq(sessions.level, level)))
        .orderBy(desc(sessions.createdAt))
        .offset(count);
      await tx.delete(sessions).where(inArray(sessions.id, surplus));
    },
    async removeByAccount(accountId) {
      await tx.delete(sessions).where(eq(sessions.accountId, accountId));
    },
    async removeExpired(now) {
      await tx.delete(sessions).where(lte(sessions.expiresAt, now));
    },
  };
}

function postgresLoginCodes(tx: Database): LoginCodeRepository {
  const codes = loginCodesTable;
  return {
    async save(code) {
      await tx.insert(codes).values(code).onConflictDoUpdate({ target: codes.id, set: code });
    },
    find: async (id) => entity((await tx.select().from(codes).where(eq(codes.id, id)))[0]),
    async findNewest(accountId) {
      const newestFirst = tx.select().from(codes).where(eq(codes.accountId, accountId)).orderBy(desc(codes.createdAt));
      return entity((await newestFirst.limit(1))[0]);
    },
    async countTry(id, limit, now) {
      const open = and(eq(codes.id, id), lt(codes.tries, limit), gt(codes.expiresAt, now));
      const counted = tx
        .update(codes)
        .set({ tries: sql`${codes.tries} + 1` })
        .where(open);
      return entity((await counted.returning({ mac: codes.mac, tries: codes.tries }))[0]);
    },
    async remove(id) {
      return (await tx.delete(codes).where(eq(codes.id, id)).returning({ id: codes.id })).length === 1;
    },
    async removeByAccount(accountId) {
      await tx.delete(codes).where(eq(codes.accountId, accountId));
    },
    async removeExpired(before) {
      await tx.delete(codes).where(lte(codes.expiresAt, before));
    },
  };
}

function postgresResetTokens(tx: Database): ResetTokenRepository {
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
    async removeExpired(now) {
      await tx.delete(tokens).where(lte(tokens.expiresAt, now));
    },
  };
}

/** The rules are `counted` and `givenBack` of `attempts.ts`, as one statement each. */
function postgresAttempts(tx: Database): AttemptRepository {
  const { key, tries, until } = attemptsTable;
  const after = (now: Date, ms: number) => sql.param(new Date(now.getTime() + ms), until);
  return {
    async count(of, limit, now) {
      const isOver = sql`${until} <= ${after(now, 0)}`;
      const [row] = await tx
        .insert(attemptsTable)
        .values({ key: of, tries: 1, until: new Date(now.getTime() + limit.windowMs) })
        .onConflictDoUpdate({
          target: key,
          set: {
            tries: sql`case when ${isOver} then 1 else least(${tries} + 1, ${limit.tries + 1}::integer) end`,
            until: sql`case when ${isOver} then ${after(now, limit.windowMs)}
              when ${tries} + 1 = ${limit.tries}::integer then greatest(${until}, ${after(now, limit.lockMs)})
              else ${until} end`,
          },
        })
        .returning();
      if (!row) throw new Error("Cannot count an attempt: the database returned no row");
      return { allowed: row.tries <= limit.tries, until: row.until };
    },
    async giveBack(of, limit, now) {
      await tx
        .update(attemptsTable)
        .set({ tries: sql`greatest(${tries} - 1, 0)`, until: sql`least(${until}, ${after(now, limit.windowMs)})` })
        .where(and(eq(key, of), lte(tries, limit.tries)));
    },
    async reset(of) {
      await tx.delete(attemptsTable).where(eq(key, of));
    },
    async removeExpired(now) {
      await tx.delete(attemptsTable).where(lte(until, now));
    },
  };
}
