import { and, asc, desc, eq, gt, inArray, isNull, lt, lte, ne, sql } from "drizzle-orm";
import { isUniqueViolation } from "../../database/errors.ts";
import { listed, selectRows } from "../../database/lists.ts";
import type { Database } from "../../database/postgres.ts";
import { placeholdersOf, prepared, valuesOf } from "../../database/prepared.ts";
import { postgresStrangerMail } from "../../events/adapters/postgres_stranger_mail.ts";
import type { EventPublisher } from "../../events/catalogue.ts";
import type { IdentityStore, SessionRepository, UserRepository } from "../ports.ts";
import { postgresApiTokens } from "./postgres_api_tokens.ts";
import { postgresAttempts } from "./postgres_attempts.ts";
import { postgresAudit } from "./postgres_audit.ts";
import { entity } from "./postgres_entity.ts";
import * as factors from "./postgres_factors.ts";
import { postgresStaffActs, postgresStaffUsers } from "./postgres_staff.ts";
import { postgresTermsAcceptances } from "./postgres_terms.ts";
import { postgresEmailChanges, postgresLoginCodes, postgresResetTokens } from "./postgres_tokens.ts";
import { sessionsTable, usersTable } from "./tables.ts";

export * from "./tables.ts";
export * from "./tables_terms.ts";

/** The identity store inside one open transaction. */
export function postgresIdentity(tx: Database, events: EventPublisher): IdentityStore {
  return {
    users: postgresUsers(tx),
    sessions: postgresSessions(tx),
    loginCodes: postgresLoginCodes(tx),
    resetTokens: postgresResetTokens(tx),
    emailChanges: postgresEmailChanges(tx),
    authenticators: factors.postgresAuthenticators(tx),
    passkeys: factors.postgresPasskeys(tx),
    recoveryCodes: factors.postgresRecoveryCodes(tx),
    secondFactors: factors.postgresSecondFactors(tx),
    providerLinks: factors.postgresProviderLinks(tx),
    acceptances: postgresTermsAcceptances(tx),
    apiTokens: postgresApiTokens(tx),
    audit: postgresAudit(tx),
    staffActs: postgresStaffActs(tx),
    attempts: postgresAttempts(tx),
    strangerMail: postgresStrangerMail(tx),
    events,
  };
}

const FIND = prepared((database) =>
  database
    .select()
    .from(usersTable)
    .where(eq(usersTable.id, sql.placeholder("id"))),
);
const FIND_BY_EMAIL = prepared((database) =>
  database
    .select()
    .from(usersTable)
    .where(eq(usersTable.email, sql.placeholder("email"))),
);
const HOLD = prepared((database) =>
  database
    .select()
    .from(usersTable)
    .where(eq(usersTable.id, sql.placeholder("id")))
    .for("no key update"),
);

function postgresUsers(tx: Database): UserRepository {
  const users = usersTable;
  return {
    ...postgresStaffUsers(tx),
    async add(user) {
      const added = await tx
        .insert(users)
        .values(user)
        .onConflictDoNothing({ target: users.email })
        .returning({ id: users.id });
      return added.length === 1;
    },
    find: async (id) => entity((await FIND(tx, { id }))[0]),
    async listByIds(ids) {
      const these = tx
        .select()
        .from(users)
        .where(sql`${users.id} = any(${listed(ids, "uuid")})`);
      return (await selectRows(tx, users, these.getSQL())).flatMap((row) => entity(row) ?? []);
    },
    findByEmail: async (email) => entity((await FIND_BY_EMAIL(tx, { email }))[0]),
    hold: async (id) => entity((await HOLD(tx, { id }))[0]),
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
    async saveDetails(id, { firstName, lastName, companyName = null, language, defaultContacts }) {
      const details = { firstName, lastName, companyName, language, defaultContacts };
      await tx.update(users).set(details).where(eq(users.id, id));
    },
    async replaceEmail(id, email) {
      // A savepoint: the violation of the unique email must not take the whole transaction along.
      try {
        return await tx.transaction(async (inner) => {
          const replaced = inner.update(users).set({ email }).where(eq(users.id, id));
          return (await replaced.returning({ id: users.id })).length === 1;
        });
      } catch (error) {
        if (isUniqueViolation(error)) return false;
        throw error;
      }
    },
    async countWrongCode(id) {
      await tx
        .update(users)
        .set({ wrongCodes: sql`${users.wrongCodes} + 1` })
        .where(eq(users.id, id));
    },
    async resetWrongCodes(id) {
      await tx.update(users).set({ wrongCodes: 0 }).where(eq(users.id, id));
    },
    async remove(id) {
      return (await tx.delete(users).where(eq(users.id, id)).returning({ id: users.id })).length === 1;
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
    .select({ session: sessionsTable, language: usersTable.language, staff: usersTable.staff })
    .from(sessionsTable)
    .innerJoin(usersTable, eq(usersTable.id, sessionsTable.accountId))
    .where(
      and(
        eq(sessionsTable.tokenHash, sql.placeholder("tokenHash")),
        gt(sessionsTable.expiresAt, sql.placeholder("now")),
      ),
    ),
);
/** Those of an account and level beside the one that is opened. */
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
  // One that somebody else is ending is gone anyway: waiting for it here could close a circle.
  const surplus = inArray(id, newestFirst.offset(sql.placeholder("kept")));
  const free = database.select({ id }).from(sessionsTable).where(surplus).for("update", { skipLocked: true });
  return database.delete(sessionsTable).where(inArray(id, free));
});

function postgresSessions(tx: Database): SessionRepository {
  const sessions = sessionsTable;
  return {
    async add(session) {
      await tx.insert(sessions).values(session);
    },
    async findLiving(tokenHash, now) {
      const [row] = await FIND_LIVING(tx, { tokenHash, now });
      return row && entity({ ...row.session, language: row.language, staff: row.staff });
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
