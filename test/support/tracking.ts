import { hashToken, keysOf, newToken } from "../../src/runtime/crypto.ts";
import type { Association } from "../../src/tracking/association.ts";
import { createTracking, type TrackingDeps } from "../../src/tracking/mod.ts";
import { memoryDatabase } from "../memory/database.ts";
import { memoryOutbox } from "../memory/events/outbox.ts";
import { memoryTracking } from "../memory/tracking/store.ts";
import { ALICE, aTrackInput, BOB, CHARLIE } from "./builders.ts";
import { testClock } from "./clock.ts";
import { takePublished } from "./published.ts";

/** The tracking module alone, in memory. Its dependencies are `plan` and `more`. */
export function trackingWorld(more: Partial<TrackingDeps> = {}) {
  const clock = testClock();
  const database = memoryDatabase();
  const outbox = memoryOutbox(database);
  const plan = { active: true, cap: 3 as number | null };
  const deps: TrackingDeps = {
    transaction: database.transactionOf(memoryTracking),
    planGate: { of: async () => ({ ...plan }) },
    ownAddress: { of: async (id) => [ALICE, BOB, CHARLIE].find(({ accountId }) => accountId === id)?.address },
    ownAddresses: { of: async () => new Map([ALICE, BOB, CHARLIE].map((one) => [one.accountId, one.address])) },
    checks: { of: async () => new Map() },
    lateChecks: { since: async () => undefined },
    consentGate: { of: async () => new Map() },
    people: {
      async of(id) {
        const email = [ALICE, BOB, CHARLIE].find(({ accountId }) => accountId === id)?.address;
        return email === undefined ? undefined : { email, language: "en", firstName: "Alice", lastName: "Keller" };
      },
    },
    mailboxOwners: {
      of: async (email) => [ALICE, BOB, CHARLIE].find(({ address }) => address === email)?.accountId,
    },
    aliasDirectory: { list: async () => ({ kind: "unavailable", reason: "there is none" }) },
    newToken,
    hashToken,
    ...keysOf("a secret for tests only"),
    drainFor: async () => {},
    contactRoom: { has: async () => true },
    contactStates: { of: async () => [] },
    newId: () => crypto.randomUUID(),
    now: clock.now,
    ...more,
  };
  return {
    clock,
    deps,
    outbox,
    plan,
    transaction: deps.transaction,
    tracking: createTracking(deps),
    published: () => takePublished(outbox),
    /** Stores associations directly, bypassing the rules. */
    store: (...associations: Association[]) =>
      deps.transaction(async ({ associations: repository }) => {
        for (const association of associations) await repository.add(association);
      }),
    associationsOf: (accountId: string) =>
      deps.transaction(({ associations }) => associations.listByAccount(accountId)),
  };
}

type Opened = { transaction: TrackingDeps["transaction"] };

/** A store of any kind with these associations. */
export async function storeWith<Store extends Opened>(open: () => Promise<Store>, ...stored: Association[]) {
  const opened = await open();
  await opened.transaction(async ({ associations }) => {
    for (const association of stored)
      if (!(await associations.add(association))) throw new Error(`Cannot store "${association.address}" twice`);
  });
  const find = ({ accountId, id }: Association) =>
    opened.transaction(({ associations }) => associations.find(accountId, id));
  return { ...opened, find };
}

/** Tracks an address for an account that has verified it. */
export function trackAsOwner(deps: TrackingDeps, accountId: string, address: string) {
  return createTracking({ ...deps, ownAddress: { of: async () => address } }).track(
    accountId,
    aTrackInput({ address }),
  );
}
