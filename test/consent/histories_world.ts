import { bundledDirectories, bundledLetterDirectories } from "../../src/breaches/adapters/services/directories.ts";
import { sanitizedDescriptions } from "../../src/breaches/adapters/sources/sanitize_html.ts";
import { createBreaches } from "../../src/breaches/mod.ts";
import type { BreachDeps } from "../../src/breaches/ports.ts";
import type { Event, Subscriptions } from "../../src/events/catalogue.ts";
import { createDispatcher, type Outbox } from "../../src/events/outbox.ts";
import { manageToken } from "../../src/invitations/mails.ts";
import { createInvitations } from "../../src/invitations/mod.ts";
import type { InvitationDeps } from "../../src/invitations/ports.ts";
import { hashToken, keysOf, newToken } from "../../src/runtime/crypto.ts";
import { createTracking } from "../../src/tracking/mod.ts";
import type { TrackingDeps } from "../../src/tracking/ports.ts";
import { memoryFeed } from "../memory/breaches/feed.ts";
import { memoryBreaches } from "../memory/breaches/store.ts";
import { memoryDatabase } from "../memory/database.ts";
import { memoryOutbox } from "../memory/events/outbox.ts";
import { memoryInvitations } from "../memory/invitations/store.ts";
import { memoryTracking } from "../memory/tracking/store.ts";
import { ALICE, BOB } from "../support/builders.ts";
import { MINUTE, type TestClock, testClock } from "../support/clock.ts";

const keys = keysOf("a secret of the tests, long enough to be one");
type Plan = { active: boolean; cap: number | null };

/** What happens to one step of a background job: nothing, or it fails before its work, or after its work was stored. */
export type Mishap = "none" | "before" | "after";

type Stores = {
  tracking: TrackingDeps["transaction"];
  invitations: InvitationDeps["transaction"];
  breaches: BreachDeps["transaction"];
  outbox: Outbox;
  /** Takes a snapshot of everything stored; returns a function that restores it. */
  backup(): Promise<() => Promise<void>>;
};
/** An account, while it exists, and its currently verified address. */
export type Person = { accountId: string; address: string | undefined };
/**
 * State outside this world's stores: the accounts of Alice, who tracks addresses, and of a user who only verifies
 * addresses; and the erasure records that are kept next to the backups.
 */
type Surroundings = {
  clock: TestClock;
  feed: ReturnType<typeof memoryFeed>;
  plan: Plan;
  self: Person;
  other: Person;
  erased: Set<string>;
};

function memoryStores(): Stores {
  const database = memoryDatabase();
  return {
    tracking: database.transactionOf(memoryTracking),
    invitations: database.transactionOf(memoryInvitations),
    breaches: database.transactionOf(memoryBreaches),
    outbox: memoryOutbox(database),
    async backup() {
      const restore = database.snapshot();
      return async () => restore();
    },
  };
}
export const surroundings = (): Surroundings => ({
  clock: testClock(),
  feed: memoryFeed(),
  plan: { active: true, cap: 3 },
  erased: new Set(),
  self: { ...ALICE },
  other: { accountId: BOB.accountId, address: undefined },
});

/**
 * Tracking, consent and breaches composed on one database, under a plan that a test can change. Two worlds on the same
 * database with the same dependencies act as two processes.
 */
export function historiesWorld(
  mishaps: Mishap[],
  stores = memoryStores(),
  { clock, feed, plan, self, other, erased } = surroundings(),
) {
  const { outbox } = stores;
  const addressOf = (accountId: string) => [self, other].find((one) => one.accountId === accountId)?.address;
  const own = { of: async (accountId: string) => addressOf(accountId) };
  const names = { language: "en", firstName: "Alice", lastName: "Keller" } as const;
  const newId = () => Bun.randomUUIDv7();
  /** Does not wait: a call returns before all subscribers have handled its events, which is the harder case. */
  const later = async () => {};
  const system = { ...keys, now: clock.now, newId, newToken, hashToken, hash: hashToken };

  async function befallen<T>(work: () => Promise<T>): Promise<T> {
    const mishap = mishaps.shift() ?? "none";
    if (mishap === "before") throw new Error("The process ends before the step");
    const done = await work();
    if (mishap === "after") throw new Error("The process ends after the step");
    return done;
  }

  const breaches = createBreaches({
    ...system,
    transaction: stores.breaches,
    feeds: [{ ...feed, lookUp: (address) => befallen(() => feed.lookUp(address)) }],
    monitoringAccess: { of: (accountId, address) => tracking.monitored(accountId, address) },
    people: { nameOf: async () => "Alice Keller" },
    accounts: { of: async () => undefined },
    translate: Object.assign(() => "", { has: () => false }),
    sleep: async (ms) => clock.pass(ms),
    descriptions: sanitizedDescriptions(),
    directories: bundledDirectories(),
    letterDirectories: bundledLetterDirectories(),
    report: () => {},
  });
  const invitations = createInvitations({
    ...system,
    transaction: stores.invitations,
    accounts: {
      async of(accountId) {
        const email = addressOf(accountId);
        return email === undefined ? undefined : { email, ...names };
      },
    },
    ownAddress: own,
    disclosures: { of: async () => [] },
    ownWatchers: {
      of: (address, accountId) => tracking.ownWatchersOf(address, accountId),
      ask: (accountId, associationId) => tracking.askOwner(accountId, associationId),
    },
    drainFor: later,
    report: () => {},
  });
  const tracking = createTracking({
    ...system,
    transaction: stores.tracking,
    planGate: { of: async () => ({ ...plan }) },
    ownAddress: own,
    ownAddresses: {
      of: async (ids) => new Map(ids.flatMap((id) => (addressOf(id) ? [[id, addressOf(id) ?? ""] as const] : []))),
    },
    drainFor: later,
    consentGate: { of: invitations.askAgainFrom },
    people: { of: async () => undefined },
    mailboxOwners: { of: async () => undefined },
    aliasDirectory: { list: async () => ({ kind: "refused" }) },
    checks: { of: breaches.checkTimesOf },
    lateChecks: { since: breaches.lateSince },
    contactRoom: { has: async () => true },
    contactStates: { of: async () => [] },
  });

  const flaky =
    <E>(handle: (event: E) => Promise<unknown>) =>
    (event: E) =>
      befallen(() => handle(event));
  const subscriptions: Subscriptions = {
    "identity.emailChanged": {
      tracking: flaky(tracking.onEmailChanged),
      invitations: flaky(invitations.onEmailChanged),
    },
    "identity.deleted": {
      tracking: flaky(tracking.onDeleted),
      invitations: flaky(invitations.onDeleted),
      breaches: flaky(breaches.onDeleted),
      backups: async ({ accountId }) => void erased.add(accountId),
    },
    "invitations.ownershipRefused": { tracking: flaky(tracking.onOwnershipRefused) },
    "tracking.consentRequested": { invitations: flaky(invitations.onConsentRequested) },
    "tracking.consentDropped": { invitations: flaky(invitations.onConsentDropped) },
    "invitations.granted": { tracking: flaky(tracking.onGranted) },
    "invitations.ended": {
      tracking: flaky(tracking.onConsentEnded),
      backups: async ({ how, invitationId }) => void (how === "withdrawn" && erased.add(invitationId)),
    },
    "tracking.monitoringStarted": { breaches: flaky(breaches.onMonitoringStarted) },
    "tracking.monitoringStopped": { breaches: flaky(breaches.onMonitoringStopped) },
    "tracking.monitoringSuspended": { breaches: flaky(breaches.onMonitoringSuspended) },
    "tracking.monitoringResumed": { breaches: flaky(breaches.onMonitoringResumed) },
    "tracking.scopeChanged": { breaches: flaky(breaches.onScopeChanged) },
    "breaches.openAlertsChanged": { tracking: flaky(tracking.onOpenAlertsChanged) },
    "billing.subscriptionChanged": { tracking: flaky(tracking.onSubscriptionChanged) },
  };
  const dispatcher = createDispatcher({ outbox, subscriptions, now: clock.now, sleep: later, onError: () => {} });
  const publish = (event: Event) => stores.tracking(({ events }) => events.publish(event));

  return {
    clock,
    feed,
    plan,
    self,
    other,
    erased,
    breaches,
    invitations,
    tracking,
    outbox,
    publish,
    stores,
    tokenOf: (invitationId: string) => manageToken(keys.mac, invitationId),

    /** Runs each background job once, with the given failures. */
    async work(): Promise<void> {
      await dispatcher.drain();
      await breaches.scanDue();
      await invitations.mailDue();
      await invitations.expireDue();
      await tracking.askUnproven();
    },
    /** Runs until nothing is left to do: failed work is retried later. */
    async settle(): Promise<void> {
      mishaps.length = 0;
      for (let quiet = 0; quiet < 2; clock.pass(10 * MINUTE)) {
        const before = (await outbox.backlog()).waiting;
        await dispatcher.drain();
        const { checked } = await breaches.scanDue();
        const asked = (await invitations.mailDue()) + (await invitations.expireDue()) + (await tracking.askUnproven());
        quiet = before + checked + asked === 0 ? quiet + 1 : 0;
      }
    },
  };
}
export type World = ReturnType<typeof historiesWorld>;
