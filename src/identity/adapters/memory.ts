import type { MemoryTables } from "../../database/memory.ts";
import { memoryEvents } from "../../events/adapters/memory.ts";
import { ok } from "../../shared/result.ts";
import { type Attempts, counted, givenBack } from "../attempts.ts";
import type {
  AttemptRepository,
  IdentityStore,
  LoginCode,
  LoginCodeRepository,
  PasswordHasher,
  ResetToken,
  ResetTokenRepository,
  Session,
  SessionRepository,
  User,
  UserRepository,
} from "../ports.ts";

/** The identity store of the in-memory database. */
export function memoryIdentity(tables: MemoryTables): IdentityStore {
  return {
    users: memoryUsers(tables),
    sessions: memorySessions(tables),
    loginCodes: memoryLoginCodes(tables),
    resetTokens: memoryResetTokens(tables),
    attempts: memoryAttempts(tables),
    events: memoryEvents(tables),
  };
}

const usersOf = (tables: MemoryTables) => tables<User>("identity.users");
const sessionsOf = (tables: MemoryTables) => tables<Session>("identity.sessions");
const codesOf = (tables: MemoryTables) => tables<LoginCode>("identity.login_codes");
/** By the account, which has one at most. */
const resetTokensOf = (tables: MemoryTables) => tables<ResetToken>("identity.reset_tokens");

function memoryUsers(tables: MemoryTables): UserRepository {
  const users = usersOf(tables);
  return {
    async add(user) {
      if (users.find(({ email }) => email === user.email)) return false;
      users.set(user.id, user);
      return true;
    },
    find: async (id) => users.get(id),
    findByEmail: async (email) => users.find((user) => user.email === email),
    hold: async (id) => users.get(id),
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
    async removeUnverified(id) {
      const user = users.get(id);
      if (!user || user.verifiedAt) return false;
      for (const session of sessionsOf(tables).filter(({ accountId }) => accountId === id))
        sessionsOf(tables).delete(session.id);
      for (const code of codesOf(tables).filter(({ accountId }) => accountId === id)) codesOf(tables).delete(code.id);
      resetTokensOf(tables).delete(id);
      return users.delete(id);
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
  const sessions = sessionsOf(tables);
  return {
    async add(session) {
      sessions.set(session.id, session);
    },
    async findLiving(tokenHash, now) {
      const session = sessions.find((row) => row.tokenHash === tokenHash && row.expiresAt > now);
      const user = session && usersOf(tables).get(session.accountId);
      return session && user && { ...session, language: user.language };
    },
    async touch(id, lastSeenAt, expiresAt) {
      const session = sessions.get(id);
      if (session) sessions.set(id, { ...session, lastSeenAt, expiresAt });
    },
    async remove(tokenHash) {
      for (const { id } of sessions.filter((row) => row.tokenHash === tokenHash)) sessions.delete(id);
    },
    async keepNewest(accountId, level, count) {
      const found = sessions.filter((row) => row.accountId === accountId && row.level === level);
      const newestFirst = found.reverse().sort((one, other) => other.createdAt.getTime() - one.createdAt.getTime());
      for (const { id } of newestFirst.slice(count)) sessions.delete(id);
    },
    async removeByAccount(accountId) {
      for (const { id } of sessions.filter((row) => row.accountId === accountId)) sessions.delete(id);
    },
    async removeExpired(now) {
      for (const { id } of sessions.filter(({ expiresAt }) => expiresAt <= now)) sessions.delete(id);
    },
  };
}

function memoryLoginCodes(tables: MemoryTables): LoginCodeRepository {
  const codes = codesOf(tables);
  const sessions = sessionsOf(tables);
  function remove(id: string): boolean {
    for (const session of sessions.filter(({ challengeId }) => challengeId === id)) sessions.delete(session.id);
    return codes.delete(id);
  }
  return {
    async save(code) {
      codes.set(code.id, code);
    },
    find: async (id) => codes.get(id),
    async findNewest(accountId) {
      const found = codes.filter((code) => code.accountId === accountId);
      return found.reverse().sort((one, other) => other.createdAt.getTime() - one.createdAt.getTime())[0];
    },
    async countTry(id, limit, now) {
      const code = codes.get(id);
      if (!code || code.tries >= limit || code.expiresAt <= now) return undefined;
      codes.set(id, { ...code, tries: code.tries + 1 });
      return { mac: code.mac, tries: code.tries + 1 };
    },
    remove: async (id) => remove(id),
    async removeByAccount(accountId) {
      for (const { id } of codes.filter((code) => code.accountId === accountId)) remove(id);
    },
    async removeExpired(before) {
      for (const { id } of codes.filter(({ expiresAt }) => expiresAt <= before)) remove(id);
    },
  };
}

function memoryResetTokens(tables: MemoryTables): ResetTokenRepository {
  const tokens = resetTokensOf(tables);
  const living = (tokenHash: string, now: Date) =>
    tokens.find((token) => token.tokenHash === tokenHash && token.expiresAt > now);
  return {
    async save(token) {
      const former = tokens.get(token.accountId);
      if (former && former.createdAt >= token.createdAt) return false;
      tokens.set(token.accountId, token);
      return true;
    },
    findLiving: async (tokenHash, now) => living(tokenHash, now),
    async use(tokenHash, now) {
      const token = living(tokenHash, now);
      return token !== undefined && tokens.delete(token.accountId);
    },
    async removeExpired(now) {
      for (const { accountId } of tokens.filter(({ expiresAt }) => expiresAt <= now)) tokens.delete(accountId);
    },
  };
}

function memoryAttempts(tables: MemoryTables): AttemptRepository {
  const attempts = tables<Attempts & { key: string }>("identity.attempts");
  return {
    async count(key, limit, now) {
      const { tries, until } = counted(attempts.get(key), limit, now);
      attempts.set(key, { key, tries, until });
      return { allowed: tries <= limit.tries, until };
    },
    async giveBack(key, limit, now) {
      const before = attempts.get(key);
      if (before) attempts.set(key, { key, ...givenBack(before, limit, now) });
    },
    async reset(key) {
      attempts.delete(key);
    },
    async removeExpired(now) {
      for (const { key } of attempts.filter(({ until }) => until <= now)) attempts.delete(key);
    },
  };
}

/** Hashes nothing: for tests, where an argon2 hash would take most of the time. */
export function plainPasswords(): PasswordHasher {
  const stored = (password: string) => `plain:${password.normalize("NFKC")}`;
  return {
    hash: async (password) => ok(stored(password)),
    verify: async (password, hash) => ok({ matches: hash === stored(password), outdated: false }),
  };
}
