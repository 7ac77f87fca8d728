import type {
  IdentityStore,
  PasswordHasher,
  Session,
  SessionRepository,
  User,
  UserRepository,
} from "../../../src/identity/ports.ts";
import { ok } from "../../../src/shared/result.ts";
import { normalised } from "../../../src/shared/unicode.ts";
import type { MemoryTables } from "../database.ts";
import { memoryEvents } from "../events/outbox.ts";
import { memoryStrangerMail } from "../events/stranger_mail.ts";
import { memoryApiTokens } from "./api_tokens.ts";
import { memoryAttempts } from "./attempts.ts";
import { memoryAudit } from "./audit.ts";
import {
  memoryAuthenticators,
  memoryPasskeys,
  memoryProviderLinks,
  memoryRecoveryCodes,
  memorySecondFactors,
} from "./factors.ts";
import { memoryStaffActs, memoryStaffUsers } from "./staff.ts";
import { memoryTermsAcceptances } from "./terms.ts";
import { memoryEmailChanges, memoryLoginCodes, memoryResetTokens } from "./tokens.ts";

/** The in-memory identity store. */
export function memoryIdentity(tables: MemoryTables): IdentityStore {
  return {
    users: memoryUsers(tables),
    sessions: memorySessions(tables),
    loginCodes: memoryLoginCodes(tables),
    resetTokens: memoryResetTokens(tables),
    emailChanges: memoryEmailChanges(tables),
    authenticators: memoryAuthenticators(tables),
    passkeys: memoryPasskeys(tables),
    recoveryCodes: memoryRecoveryCodes(tables),
    secondFactors: memorySecondFactors(tables),
    providerLinks: memoryProviderLinks(tables),
    acceptances: memoryTermsAcceptances(tables),
    apiTokens: memoryApiTokens(tables),
    audit: memoryAudit(tables),
    staffActs: memoryStaffActs(tables),
    attempts: memoryAttempts(tables),
    strangerMail: memoryStrangerMail(tables),
    events: memoryEvents(tables),
  };
}

const usersOf = (tables: MemoryTables) => tables<User>("identity.users");

/** What is deleted with an account, as with the database's foreign keys. */
const OF_ACCOUNT = [
  "sessions",
  "login_codes",
  "reset_tokens",
  "email_changes",
  "authenticators",
  "passkeys",
  "recovery_codes",
  "provider_links",
  "api_tokens",
  "terms_acceptances",
];

function removeUser(tables: MemoryTables, id: string): boolean {
  for (const name of OF_ACCOUNT) {
    const rows = tables<{ accountId: string }>(`identity.${name}`);
    rows.removeWhere(({ accountId }) => accountId === id);
  }
  return usersOf(tables).delete(id);
}

function memoryUsers(tables: MemoryTables): UserRepository {
  const users = usersOf(tables);
  return {
    ...memoryStaffUsers(users),
    async add(user) {
      if (users.find(({ email }) => email === user.email)) return false;
      users.set(user.id, user);
      return true;
    },
    find: async (id) => users.get(id),
    listByIds: async (ids) => ids.flatMap((id) => users.get(id) ?? []),
    listGone: async (ids) => ids.filter((id) => !users.get(id)),
    findByEmail: async (email) => users.find((user) => user.email === email),
    hasVerified: async () => users.find(({ verifiedAt }) => verifiedAt !== undefined) !== undefined,
    findForUpdate: async (id) => users.get(id),
    async markVerified(id, now) {
      const user = users.get(id);
      if (user && !user.verifiedAt) users.set(id, { ...user, verifiedAt: now });
    },
    async replacePasswordHash(id, from, to) {
      const user = users.get(id);
      if (user?.passwordHash !== from) return false;
      users.set(id, { ...user, passwordHash: to });
      return true;
    },
    async saveDetails(id, { firstName, lastName, companyName, language, defaultContacts }) {
      const user = users.get(id);
      if (user) users.set(id, { ...user, firstName, lastName, companyName, language, defaultContacts });
    },
    async replaceEmail(id, email) {
      const user = users.get(id);
      if (!user || users.find((other) => other.email === email && other.id !== id)) return false;
      users.set(id, { ...user, email });
      return true;
    },
    async countWrongCode(id) {
      const user = users.get(id);
      if (user) users.set(id, { ...user, wrongCodes: user.wrongCodes + 1 });
    },
    async resetWrongCodes(id) {
      const user = users.get(id);
      if (user) users.set(id, { ...user, wrongCodes: 0 });
    },
    async setNetwork(id, network) {
      const user = users.get(id);
      if (user) users.set(id, { ...user, network });
    },
    async raiseDeviceEpoch(id) {
      const user = users.get(id);
      if (!user) return 0;
      users.set(id, { ...user, deviceEpoch: user.deviceEpoch + 1 });
      return user.deviceEpoch + 1;
    },
    remove: async (id) => removeUser(tables, id),
    async removeUnverified(id) {
      const user = users.get(id);
      if (!user || user.verifiedAt) return false;
      return removeUser(tables, id);
    },
    async listUnverified(before, limit) {
      const found = users.filter((user) => !user.verifiedAt && user.createdAt < before);
      return found
        .sort((one, other) => one.createdAt.getTime() - other.createdAt.getTime())
        .slice(0, limit)
        .map(({ id }) => id);
    },
  };
}

function memorySessions(tables: MemoryTables): SessionRepository {
  const sessions = tables<Session>("identity.sessions");
  function change(id: string, changed: Partial<Session>): void {
    const session = sessions.get(id);
    if (session) sessions.set(id, { ...session, ...changed });
  }
  function living(tokenHash: string, now: Date) {
    const session = sessions.find((row) => row.tokenHash === tokenHash && row.expiresAt > now);
    const user = session && usersOf(tables).get(session.accountId);
    return session && user && { ...session, language: user.language, staff: user.staff, deviceEpoch: user.deviceEpoch };
  }
  return {
    findLiving: async (tokenHash, now) => living(tokenHash, now),
    listLiving: async (tokenHashes, now) => tokenHashes.flatMap((tokenHash) => living(tokenHash, now) ?? []),
    async touch(id, lastSeenAt, expiresAt) {
      change(id, { lastSeenAt, expiresAt });
    },
    async remove(tokenHash) {
      sessions.removeWhere((row) => row.tokenHash === tokenHash);
    },
    async list(accountId, now) {
      const living = sessions.filter(
        (row) => row.accountId === accountId && row.level === "authenticated" && row.expiresAt > now,
      );
      return living.sort((one, other) => other.lastSeenAt.getTime() - one.lastSeenAt.getTime());
    },
    end: async (accountId, id) => sessions.removeWhere((row) => row.id === id && row.accountId === accountId) === 1,
    endOthers: async (accountId, id) => sessions.removeWhere((row) => row.accountId === accountId && row.id !== id),
    async confirm({ id, tokenHash }, newTokenHash, now) {
      if (sessions.get(id)?.tokenHash !== tokenHash) return false;
      change(id, { tokenHash: newTokenHash, confirmedAt: now });
      return true;
    },
    async setPasskeyChallenge(id, passkeyChallenge) {
      change(id, { passkeyChallenge });
    },
    async takePasskeyChallenge(id) {
      const challenge = sessions.get(id)?.passkeyChallenge;
      change(id, { passkeyChallenge: undefined });
      return challenge;
    },
    async open(session, most) {
      const { id, accountId, level } = session;
      const others = sessions.filter((row) => row.accountId === accountId && row.level === level);
      const newestFirst = others.reverse().sort((one, other) => other.createdAt.getTime() - one.createdAt.getTime());
      for (const { id } of newestFirst.slice(most - 1)) sessions.delete(id);
      sessions.set(id, session);
    },
    async removeByAccount(accountId) {
      sessions.removeWhere((row) => row.accountId === accountId);
    },
    async endByProvider({ provider: key, subject, sid }) {
      if (subject === undefined && sid === undefined) return [];
      const isTheirs = ({ provider }: Session) =>
        provider?.provider === key &&
        (subject === undefined || provider.subject === subject) &&
        (sid === undefined || provider.sid === sid || (subject !== undefined && provider.sid === undefined));
      const ended = sessions.filter(isTheirs);
      sessions.removeWhere(isTheirs);
      return ended.filter(({ level }) => level === "authenticated").map(({ accountId }) => accountId);
    },
    async removeExpired(now) {
      sessions.removeWhere(({ expiresAt }) => expiresAt <= now);
    },
  };
}

/** Does not hash: for tests, where argon2 would take most of the time. */
export function plainPasswords(): PasswordHasher {
  const stored = (password: string) => `plain:${normalised(password, "NFKC")}`;
  return {
    hash: async (password) => ok(stored(password)),
    verify: async (password, hash) => ok({ matches: hash === stored(password), outdated: false }),
  };
}
