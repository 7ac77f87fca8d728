import { memoryBreaches } from "../../src/breaches/adapters/memory.ts";
import { memoryFeed } from "../../src/breaches/adapters/memory_feed.ts";
import { sanitizedDescriptions } from "../../src/breaches/adapters/sanitize_html.ts";
import { createBreaches } from "../../src/breaches/mod.ts";
import type { BreachDeps } from "../../src/breaches/ports.ts";
import { memoryDatabase } from "../../src/database/memory.ts";
import { memoryOutbox } from "../../src/events/adapters/memory.ts";
import type { Event, Subscriptions } from "../../src/events/catalogue.ts";
import { createDispatcher, type Outbox } from "../../src/events/outbox.ts";
import { memoryInvitations } from "../../src/invitations/adapters/memory.ts";
import { manageToken } from "../../src/invitations/mails.ts";
import { createInvitations } from "../../src/invitations/mod.ts";
import type { InvitationDeps } from "../../src/invitations/ports.ts";
import { hashToken, keysOf, newToken } from "../../src/system.ts";
import { memoryTracking } from "../../src/tracking/adapters/memory.ts";
import { createTracking } from "../../src/tracking/mod.ts";
import type { TrackingDeps } from "../../src/tracking/ports.ts";
import { ALICE } from "../support/builders.ts";
import { MINUTE, type TestClock, testClock } from "../support/clock.ts";

const keys = keysOf("a secret of the tests, long enough to be one");
type Plan = { active: boolean; cap: number | null };

/** What befalls one step of a background job: nothing, or it fails before its work, or after it is stored. */
export type Mishap = "none" | "before" | "after";

type Stores = {
  tracking: TrackingDeps["transaction"];
  invitations: InvitationDeps["transaction"];
  breaches: BreachDeps["transaction"];
  outbox: Outbox;
};
/** `self`: the email that Alice has proven now. */
type Surroundings = {
  clock: TestClock;
  feed: ReturnType<typeof memoryFeed>;
  plan: Plan;
  self: { address: string };
};

function memoryStores(): Stores {
  const database = memoryDatabase();
  return {
    ...{ tracking: database.transactionOf(memoryTracking), invitations: database.transactionOf(memoryInvitations) },
    ...{ breaches: database.transactionOf(memoryBreaches), outbox: memoryOutbox(database) },
  };
}
const ownSurroundings = (): Surroundings => ({
  ...{ clock: testClock(), feed: memoryFeed(), plan: { active: true, cap: 3 }, self: { address: ALICE.address } },
});

/**
 * Tracking, consent and breaches on one database, as they are composed, under a plan that a test can change. Two of them on
 * the same database and in the same surroundings are two processes.
 */
export function historiesWorld(
  mishaps: Mishap[],
  stores = memoryStores(),
  { clock, feed, plan, self } = ownSurroundings(),
) {
  const { outbox } = stores;
  const own = { of: async (accountId: string) => (accountId === ALICE.accountId ? self.address : undefined) };
  const inviter = { email: ALICE.address, language: "en", firstName: "Alice", lastName: "Keller" } as const;
  const newId = () => Bun.randomUUIDv7();
  /** An answer that has waited long enough goes out before all have heard: what is harder to get right. */
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
    report: () => {},
  });
  const invitations = createInvitations({
    ...system,
    transaction: stores.invitations,
    accounts: { of: async () => inviter },
    ownAddress: own,
    ownWatchers: { of: (address, accountId) => tracking.ownWatchersOf(address, accountId) },
    settled: later,
  });
  const tracking = createTracking({
    ...system,
    transaction: stores.tracking,
    planGate: { of: async () => ({ ...plan }) },
    ownAddress: own,
    ownAddresses: { of: async () => new Map([[ALICE.accountId, self.address]]) },
    settled: later,
    consentGate: { of: invitations.askAgainFrom },
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
    "identity.emailChanged": { tracking: flaky(tracking.onEmailChanged) },
    "tracking.consentRequested": { invitations: flaky(invitations.onConsentRequested) },
    "tracking.consentDropped": { invitations: flaky(invitations.onConsentDropped) },
    "invitations.granted": { tracking: flaky(tracking.onGranted) },
    "invitations.ended": { tracking: flaky(tracking.onConsentEnded) },
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
    ...{ clock, feed, plan, self, breaches, invitations, tracking, outbox, publish, stores },
    tokenOf: (invitationId: string) => manageToken(keys.mac, invitationId),

    /** One turn of each background job, whatever befalls it. */
    async work(): Promise<void> {
      await dispatcher.drain();
      await breaches.scanDue();
      await invitations.mailDue();
      await invitations.expireDue();
    },
    /** Until nothing moves any more: what failed comes back later. */
    async settle(): Promise<void> {
      mishaps.length = 0;
      for (let quiet = 0; quiet < 2; clock.pass(10 * MINUTE)) {
        const before = (await outbox.backlog()).waiting;
        await dispatcher.drain();
        const { checked } = await breaches.scanDue();
        const asked = (await invitations.mailDue()) + (await invitations.expireDue());
        quiet = before + checked + asked === 0 ? quiet + 1 : 0;
      }
    },
  };
}
