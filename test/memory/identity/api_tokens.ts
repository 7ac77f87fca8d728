import { EVERY_MS, FULL_MS, type Taken } from "../../../src/identity/api_tokens/api_allowance.ts";
import type { ApiToken } from "../../../src/identity/api_tokens/api_token.ts";
import type { ApiTokenRepository } from "../../../src/identity/api_tokens/api_token_ports.ts";
import type { User } from "../../../src/identity/ports.ts";
import type { MemoryTables } from "../database.ts";

/** Takes one request of what is left. One timestamp per token is stored (GCRA). */
export function taken(busyUntil: Date, now: Date): Taken {
  const next = Math.max(busyUntil.getTime(), now.getTime()) + EVERY_MS;
  const granted = next <= now.getTime() + FULL_MS;
  return { granted, busyUntil: granted ? new Date(next) : busyUntil };
}

export function memoryApiTokens(tables: MemoryTables): ApiTokenRepository {
  const tokens = tables<ApiToken>("identity.api_tokens");
  const users = tables<User>("identity.users");
  function change(id: string, changed: Partial<ApiToken>): void {
    const token = tokens.get(id);
    if (token) tokens.set(id, { ...token, ...changed });
  }
  return {
    async add(token) {
      tokens.set(token.id, token);
    },
    async findLiving(tokenHash, now) {
      const isLiving = ({ expiresAt }: ApiToken) => expiresAt === undefined || expiresAt > now;
      const token = tokens.find((row) => row.tokenHash === tokenHash && isLiving(row));
      const user = token && users.get(token.accountId);
      return token && user && user.lockedAt === undefined ? { ...token, language: user.language } : undefined;
    },
    async list(accountId) {
      const own = tokens.filter((row) => row.accountId === accountId);
      const order = (one: ApiToken, other: ApiToken) =>
        other.createdAt.getTime() - one.createdAt.getTime() || (one.id < other.id ? 1 : -1);
      return own.sort(order);
    },
    async touch(id, lastUsedAt, lastIpPrefix) {
      change(id, { lastUsedAt, lastIpPrefix });
    },
    async take(id, now) {
      const token = tokens.get(id);
      if (!token) return { granted: false, busyUntil: now };
      const found = taken(token.busyUntil, now);
      change(id, { busyUntil: found.busyUntil });
      return found;
    },
    async remove(accountId, id) {
      const token = tokens.get(id);
      if (token?.accountId !== accountId) return undefined;
      tokens.delete(id);
      return token;
    },
    removeAll: async (accountId) => tokens.removeWhere((row) => row.accountId === accountId),
    async removeExpired(before) {
      tokens.removeWhere(({ expiresAt }) => expiresAt !== undefined && expiresAt <= before);
    },
  };
}
