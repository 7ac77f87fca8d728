import { and, asc, eq, isNotNull, isNull, lt, sql } from "drizzle-orm";
import { isUniqueViolation } from "../../../database/errors.ts";
import { listed, selectRows } from "../../../database/lists.ts";
import { rowsOf } from "../../../database/logical_dump.ts";
import { withoutNulls } from "../../../database/nulls.ts";
import type { Database } from "../../../database/postgres.ts";
import { postgresStrangerMail } from "../../../events/adapters/postgres/stranger_mail.ts";
import type { EventPublisher } from "../../../events/catalogue.ts";
import type { IdentityStore, UserRepository } from "../../ports.ts";
import { postgresApiTokens } from "./api_tokens.ts";
import { postgresAttempts } from "./attempts.ts";
import { postgresAudit } from "./audit.ts";
import * as factors from "./factors.ts";
import { postgresSessions } from "./sessions.ts";
import { postgresStaffActs, postgresStaffUsers } from "./staff.ts";
import { usersTable } from "./tables.ts";
import { postgresTermsAcceptances } from "./terms.ts";
import { postgresEmailChanges, postgresLoginCodes, postgresResetTokens } from "./tokens.ts";

export * from "./tables.ts";

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
    find: async (id) => withoutNulls((await tx.select().from(users).where(eq(users.id, id)))[0]),
    async listByIds(ids) {
      const these = tx
        .select()
        .from(users)
        .where(sql`${users.id} = any(${listed(ids, "uuid")})`);
      return selectRows(tx, users, these.getSQL());
    },
    async listGone(ids) {
      const gone = await rowsOf<{ id: string }>(
        tx,
        sql`select id from unnest(${listed(ids, "uuid")}) as wanted(id)
          where not exists (select 1 from ${users} where ${users.id} = wanted.id offset 0)`,
      );
      return gone.map(({ id }) => id);
    },
    findByEmail: async (email) => withoutNulls((await tx.select().from(users).where(eq(users.email, email)))[0]),
    async hasVerified() {
      const [some] = await tx.select({ id: users.id }).from(users).where(isNotNull(users.verifiedAt)).limit(1);
      return some !== undefined;
    },
    async findForUpdate(id) {
      const locked = tx.select().from(users).where(eq(users.id, id)).for("no key update");
      return withoutNulls((await locked)[0]);
    },
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
      // A savepoint, so that a violation of the unique email does not abort the whole transaction.
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
    async setNetwork(id, network) {
      await tx.update(users).set({ network }).where(eq(users.id, id));
    },
    async raiseDeviceEpoch(id) {
      const raised = tx.update(users).set({ deviceEpoch: sql`${users.deviceEpoch} + 1` });
      const [row] = await raised.where(eq(users.id, id)).returning({ deviceEpoch: users.deviceEpoch });
      return row?.deviceEpoch ?? 0;
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
