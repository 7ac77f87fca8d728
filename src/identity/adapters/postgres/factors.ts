import { and, asc, eq, isNotNull, isNull, lt, or, type SQL, sql } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import { withoutNulls } from "../../../database/nulls.ts";
import type { Database } from "../../../database/postgres.ts";
import type {
  AuthenticatorRepository,
  PasskeyRepository,
  ProviderLinkRepository,
  RecoveryCodeRepository,
  SecondFactorRepository,
} from "../../factors/factor_ports.ts";
import { authenticatorsTable, passkeysTable, providerLinksTable, recoveryCodesTable } from "./tables.ts";

export function postgresAuthenticators(tx: Database): AuthenticatorRepository {
  const rows = authenticatorsTable;
  return {
    async save(authenticator) {
      const saved = tx
        .insert(rows)
        .values(authenticator)
        .onConflictDoUpdate({ target: rows.accountId, set: authenticator, setWhere: isNull(rows.confirmedAt) });
      return (await saved.returning({ accountId: rows.accountId })).length === 1;
    },
    find: async (accountId) => withoutNulls((await tx.select().from(rows).where(eq(rows.accountId, accountId)))[0]),
    async takeStep(accountId, step) {
      const used = tx
        .update(rows)
        .set({ lastStep: step })
        .where(and(eq(rows.accountId, accountId), lt(rows.lastStep, step)));
      return (await used.returning({ accountId: rows.accountId })).length === 1;
    },
    async confirm(accountId, now) {
      const unconfirmed = and(eq(rows.accountId, accountId), isNull(rows.confirmedAt));
      await tx.update(rows).set({ confirmedAt: now }).where(unconfirmed);
    },
    async remove(accountId) {
      const removed = tx.delete(rows).where(eq(rows.accountId, accountId));
      return (await removed.returning({ accountId: rows.accountId })).length === 1;
    },
  };
}

export function postgresPasskeys(tx: Database): PasskeyRepository {
  const passkeys = passkeysTable;
  const own = (accountId: string, id: string) => and(eq(passkeys.accountId, accountId), eq(passkeys.id, id));
  return {
    async add(passkey) {
      const added = tx.insert(passkeys).values(passkey).onConflictDoNothing({ target: passkeys.id });
      return (await added.returning({ id: passkeys.id })).length === 1;
    },
    async list(accountId) {
      const oldestFirst = tx
        .select()
        .from(passkeys)
        .where(eq(passkeys.accountId, accountId))
        .orderBy(asc(passkeys.createdAt));
      return (await oldestFirst).map(withoutNulls);
    },
    find: async (accountId, id) => withoutNulls((await tx.select().from(passkeys).where(own(accountId, id)))[0]),
    async used(accountId, id, counter, now) {
      const noCounter = counter === 0 ? eq(passkeys.counter, 0) : undefined;
      const used = tx
        .update(passkeys)
        .set({ counter, lastUsedAt: now })
        .where(and(own(accountId, id), or(lt(passkeys.counter, counter), noCounter)));
      return (await used.returning({ id: passkeys.id })).length === 1;
    },
    async rename(accountId, id, name) {
      const renamed = tx.update(passkeys).set({ name }).where(own(accountId, id));
      return (await renamed.returning({ id: passkeys.id })).length === 1;
    },
    async remove(accountId, id) {
      return (await tx.delete(passkeys).where(own(accountId, id)).returning({ id: passkeys.id })).length === 1;
    },
  };
}

export function postgresRecoveryCodes(tx: Database): RecoveryCodeRepository {
  const codes = recoveryCodesTable;
  return {
    async replaceAll(accountId, macs) {
      await tx.delete(codes).where(eq(codes.accountId, accountId));
      if (macs.length > 0) await tx.insert(codes).values(macs.map((mac) => ({ accountId, mac })));
    },
    async use(accountId, mac) {
      const used = tx.delete(codes).where(and(eq(codes.accountId, accountId), eq(codes.mac, mac)));
      return (await used.returning({ mac: codes.mac })).length === 1;
    },
    async count(accountId) {
      return tx.$count(codes, eq(codes.accountId, accountId));
    },
  };
}

export function postgresSecondFactors(tx: Database): SecondFactorRepository {
  const exists = (table: PgTable, matches: SQL | undefined) =>
    sql<boolean>`exists (${tx.select({ one: sql`1` }).from(table).where(matches)})`;
  return {
    async of(accountId) {
      const confirmed = and(eq(authenticatorsTable.accountId, accountId), isNotNull(authenticatorsTable.confirmedAt));
      const [row] = await tx
        .select({
          passkey: exists(passkeysTable, eq(passkeysTable.accountId, accountId)),
          authenticator: exists(authenticatorsTable, confirmed),
          recoveryCode: exists(recoveryCodesTable, eq(recoveryCodesTable.accountId, accountId)),
        })
        .from(sql`(select 1) as one`);
      return row ?? { passkey: false, authenticator: false, recoveryCode: false };
    },
  };
}

export function postgresProviderLinks(tx: Database): ProviderLinkRepository {
  const links = providerLinksTable;
  return {
    async add(link) {
      const added = tx.insert(links).values(link).onConflictDoNothing();
      return (await added.returning({ subject: links.subject })).length === 1;
    },
    async find(provider, subject) {
      const identity = and(eq(links.provider, provider), eq(links.subject, subject));
      return (await tx.select().from(links).where(identity))[0];
    },
    list: (accountId) => tx.select().from(links).where(eq(links.accountId, accountId)).orderBy(asc(links.provider)),
    async remove(accountId, provider) {
      const own = and(eq(links.accountId, accountId), eq(links.provider, provider));
      return (await tx.delete(links).where(own).returning({ subject: links.subject })).length === 1;
    },
  };
}
