import type {
  Authenticator,
  AuthenticatorRepository,
  Passkey,
  PasskeyRepository,
  ProviderLink,
  ProviderLinkRepository,
  RecoveryCodeRepository,
  SecondFactorRepository,
} from "../../../src/identity/factors/factor_ports.ts";
import type { MemoryTables } from "../database.ts";

export function memoryAuthenticators(tables: MemoryTables): AuthenticatorRepository {
  const authenticators = tables<Authenticator>("identity.authenticators");
  return {
    async save(authenticator) {
      if (authenticators.get(authenticator.accountId)?.confirmedAt) return false;
      authenticators.set(authenticator.accountId, authenticator);
      return true;
    },
    find: async (accountId) => authenticators.get(accountId),
    async takeStep(accountId, step) {
      const authenticator = authenticators.get(accountId);
      if (!authenticator || authenticator.lastStep >= step) return false;
      authenticators.set(accountId, { ...authenticator, lastStep: step });
      return true;
    },
    async confirm(accountId, now) {
      const authenticator = authenticators.get(accountId);
      if (authenticator && !authenticator.confirmedAt)
        authenticators.set(accountId, { ...authenticator, confirmedAt: now });
    },
    remove: async (accountId) => authenticators.delete(accountId),
  };
}

export function memoryPasskeys(tables: MemoryTables): PasskeyRepository {
  const passkeys = tables<Passkey>("identity.passkeys");
  function find(accountId: string, id: string): Passkey | undefined {
    const passkey = passkeys.get(id);
    return passkey?.accountId === accountId ? passkey : undefined;
  }
  return {
    async add(passkey) {
      if (passkeys.get(passkey.id)) return false;
      passkeys.set(passkey.id, passkey);
      return true;
    },
    async list(accountId) {
      const found = passkeys.filter((passkey) => passkey.accountId === accountId);
      return found.sort((one, other) => one.createdAt.getTime() - other.createdAt.getTime());
    },
    find: async (accountId, id) => find(accountId, id),
    async used(accountId, id, counter, now) {
      const passkey = find(accountId, id);
      if (!passkey || (counter <= passkey.counter && (counter > 0 || passkey.counter > 0))) return false;
      passkeys.set(id, { ...passkey, counter, lastUsedAt: now });
      return true;
    },
    async rename(accountId, id, name) {
      const passkey = find(accountId, id);
      if (passkey) passkeys.set(id, { ...passkey, name });
      return passkey !== undefined;
    },
    remove: async (accountId, id) => find(accountId, id) !== undefined && passkeys.delete(id),
  };
}

export function memoryRecoveryCodes(tables: MemoryTables): RecoveryCodeRepository {
  const codes = tables<{ accountId: string; mac: string }>("identity.recovery_codes");
  const keyOf = (accountId: string, mac: string) => `${accountId}:${mac}`;
  return {
    async replaceAll(accountId, macs) {
      codes.removeWhere((code) => code.accountId === accountId);
      for (const mac of macs) codes.set(keyOf(accountId, mac), { accountId, mac });
    },
    use: async (accountId, mac) => codes.delete(keyOf(accountId, mac)),
    count: async (accountId) => codes.filter((code) => code.accountId === accountId).length,
  };
}

export function memorySecondFactors(tables: MemoryTables): SecondFactorRepository {
  const [passkeys, authenticators, codes] = [
    memoryPasskeys(tables),
    memoryAuthenticators(tables),
    memoryRecoveryCodes(tables),
  ];
  return {
    of: async (accountId) => ({
      passkey: (await passkeys.list(accountId)).length > 0,
      authenticator: (await authenticators.find(accountId))?.confirmedAt !== undefined,
      recoveryCode: (await codes.count(accountId)) > 0,
    }),
  };
}

export function memoryProviderLinks(tables: MemoryTables): ProviderLinkRepository {
  const links = tables<ProviderLink>("identity.provider_links");
  const keyOf = ({ provider, subject }: Pick<ProviderLink, "provider" | "subject">) => `${provider}:${subject}`;
  return {
    async add(link) {
      const isTaken = (row: ProviderLink) =>
        row.provider === link.provider && (row.subject === link.subject || row.accountId === link.accountId);
      if (links.find(isTaken)) return false;
      links.set(keyOf(link), link);
      return true;
    },
    find: async (provider, subject) => links.get(keyOf({ provider, subject })),
    async list(accountId) {
      const found = links.filter((link) => link.accountId === accountId);
      return found.sort((one, other) => (one.provider < other.provider ? -1 : 1));
    },
    remove: async (accountId, provider) =>
      links.removeWhere((link) => link.accountId === accountId && link.provider === provider) === 1,
  };
}
