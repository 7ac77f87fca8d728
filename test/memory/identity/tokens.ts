import type { EmailChange, EmailChangeRepository } from "../../../src/identity/account/profile_ports.ts";
import type {
  LoginCode,
  LoginCodeRepository,
  ResetToken,
  ResetTokenRepository,
  Session,
} from "../../../src/identity/ports.ts";
import type { MemoryTables } from "../database.ts";

export function memoryLoginCodes(tables: MemoryTables): LoginCodeRepository {
  const codes = tables<LoginCode>("identity.login_codes");
  const sessions = tables<Session>("identity.sessions");
  function remove(id: string): boolean {
    sessions.removeWhere(({ challengeId }) => challengeId === id);
    return codes.delete(id);
  }
  return {
    async save(code) {
      codes.set(code.id, code);
    },
    find: async (id) => codes.get(id),
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

export function memoryResetTokens(tables: MemoryTables): ResetTokenRepository {
  // By account, which has at most one.
  const tokens = tables<ResetToken>("identity.reset_tokens");
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
    async remove(accountId) {
      tokens.delete(accountId);
    },
    async removeExpired(now) {
      tokens.removeWhere(({ expiresAt }) => expiresAt <= now);
    },
  };
}

export function memoryEmailChanges(tables: MemoryTables): EmailChangeRepository {
  // By account, which has at most one.
  const changes = tables<EmailChange>("identity.email_changes");
  const living = (tokenHash: string, now: Date) =>
    changes.find((change) => change.tokenHash === tokenHash && change.expiresAt > now);
  return {
    async save(change) {
      changes.set(change.accountId, change);
    },
    find: async (accountId, now) => changes.find((row) => row.accountId === accountId && row.expiresAt > now),
    findLiving: async (tokenHash, now) => living(tokenHash, now),
    async use(tokenHash, now) {
      const change = living(tokenHash, now);
      return change !== undefined && changes.delete(change.accountId);
    },
    async remove(accountId) {
      changes.delete(accountId);
    },
    async removeExpired(now) {
      changes.removeWhere(({ expiresAt }) => expiresAt <= now);
    },
  };
}
