import type { Alias, AliasRepository } from "../../../src/tracking/alias_ports.ts";
import type { MemoryTables } from "../database.ts";

export function memoryAliases(tables: MemoryTables): AliasRepository {
  const rows = tables<Alias>("tracking.alias");
  const byAddress = (a: Alias, b: Alias) => (a.address < b.address ? -1 : 1);
  const isDue = ({ mailAt }: Alias, now: Date) => mailAt !== undefined && mailAt <= now;
  const has = ({ associationId, address }: Alias) =>
    rows.find((row) => row.associationId === associationId && row.address === address) !== undefined;
  return {
    list: async (associationId) => rows.filter((row) => row.associationId === associationId).sort(byAddress),
    listByAccount: async (accountId) => rows.filter((row) => row.accountId === accountId).sort(byAddress),
    async listTracked(accountId, addresses) {
      const own = rows.filter((row) => row.accountId === accountId && addresses.includes(row.address));
      return own.map(({ address }) => address);
    },
    async addAll(aliases) {
      for (const alias of aliases) {
        if (has(alias)) throw new Error(`Cannot add "${alias.address}": it is an alias already`);
        rows.set(alias.id, alias);
      }
    },
    findByToken: async (tokenHash) => rows.find((row) => row.tokenHash === tokenHash),
    async save({ id, origin, state, tokenHash, mailAt, expiresAt }) {
      const row = rows.get(id);
      if (row) rows.set(id, { ...row, origin, state, tokenHash, mailAt, expiresAt });
      return row !== undefined;
    },
    listWaitingAccounts: async (now) =>
      [...new Set(rows.filter((row) => isDue(row, now)).map(({ accountId }) => accountId))].sort(),
    async findWaiting(accountId, now) {
      const waiting = rows.filter((row) => row.accountId === accountId && isDue(row, now));
      const time = ({ mailAt }: Alias) => mailAt?.getTime() ?? 0;
      return waiting.sort((a, b) => time(a) - time(b) || (a.id < b.id ? -1 : 1))[0];
    },
    async remove(accountId, associationId, id) {
      const row = rows.get(id);
      if (row?.accountId !== accountId || row.associationId !== associationId) return undefined;
      rows.delete(id);
      return row;
    },
    async removeByAssociation(associationId) {
      rows.removeWhere((row) => row.associationId === associationId);
    },
    async removeOfOthers(address, accountId) {
      const theirs = rows.filter(
        (row) => row.address === address && row.accountId !== accountId && row.origin !== "rule",
      );
      for (const row of theirs) if (row.state === "pending") rows.set(row.id, { ...row, tokenHash: undefined });
      const active = theirs.filter((row) => row.state === "active");
      for (const { id } of active) rows.delete(id);
      return active;
    },
    async removeExpired(now) {
      const expired = rows.filter(
        ({ state, expiresAt }) => state === "pending" && expiresAt !== undefined && expiresAt <= now,
      );
      for (const { id } of expired) rows.delete(id);
      return expired.length;
    },
  };
}
