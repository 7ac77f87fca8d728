import { beforeEach, expect } from "bun:test";
import type { IdentityStore } from "../../src/identity/mod.ts";
import type { LoginCode, ResetToken, Session, User } from "../../src/identity/ports.ts";
import type { TestStore } from "../support/postgres.ts";

export const NOW = new Date("2026-11-20T12:00:00.123Z");
export const after = (ms: number) => new Date(NOW.getTime() + ms);

export function aUser(changed: Partial<User> = {}): User {
  const names = { firstName: "Alice", lastName: "Meyer", companyName: undefined, language: "de" } as const;
  return {
    id: crypto.randomUUID(),
    email: "alice@example.com",
    ...names,
    passwordHash: "hash",
    defaultContacts: [],
    wrongCodes: 0,
    deviceEpoch: 0,
    network: undefined,
    staff: false,
    lockedAt: undefined,
    createdAt: NOW,
    verifiedAt: undefined,
    ...changed,
  };
}
export function aCode(accountId: string, changed: Partial<LoginCode> = {}): LoginCode {
  return {
    id: crypto.randomUUID(),
    accountId,
    mac: "mac",
    tries: 0,
    createdAt: NOW,
    sentAt: NOW,
    expiresAt: after(1000),
    ...changed,
  };
}
export function aResetToken(accountId: string, changed: Partial<ResetToken> = {}): ResetToken {
  return { accountId, tokenHash: crypto.randomUUID(), createdAt: NOW, expiresAt: after(1000), ...changed };
}
export function aSession(accountId: string, changed: Partial<Session> = {}): Session {
  const level = changed.challengeId === undefined ? "authenticated" : "partial";
  const times = { createdAt: NOW, lastSeenAt: NOW, expiresAt: after(1000) };
  return {
    id: crypto.randomUUID(),
    tokenHash: crypto.randomUUID(),
    accountId,
    level,
    challengeId: undefined,
    device: {},
    ipPrefix: "",
    confirmedAt: undefined,
    link: undefined,
    passkeyChallenge: undefined,
    ...times,
    ...changed,
  };
}

/** For a contract: an empty store before each test, with Alice's account on request. */
export function freshStore(open: () => Promise<TestStore<IdentityStore>>) {
  let store: TestStore<IdentityStore>;
  beforeEach(async () => {
    store = await open();
  });
  const within = <T>(work: (store: IdentityStore) => Promise<T>) => store.transaction(work);
  return {
    within,
    outbox: () => store.outbox,
    async alice(changed: Partial<User> = {}): Promise<User> {
      const user = aUser(changed);
      expect(await within(({ users }) => users.add(user))).toBe(true);
      return user;
    },
  };
}
