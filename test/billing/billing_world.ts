import { afterEach, beforeEach, expect } from "bun:test";
import { sandboxPayments } from "../../src/billing/adapters/sandbox/sandbox.ts";
import { sandboxActs } from "../../src/billing/adapters/sandbox/sandbox_acts.ts";
import { sandboxMemory } from "../../src/billing/adapters/sandbox/sandbox_state.ts";
import type { CheckoutInput } from "../../src/billing/inputs.ts";
import { type BillingDeps, createBilling, type PaymentGateway } from "../../src/billing/mod.ts";
import type { Event } from "../../src/events/catalogue.ts";
import type { Outbox } from "../../src/events/outbox.ts";
import { keysOf, newToken } from "../../src/runtime/crypto.ts";
import { memoryBilling } from "../memory/billing/store.ts";
import { memoryDatabase } from "../memory/database.ts";
import { memoryOutbox } from "../memory/events/outbox.ts";
import { ALICE, accepted, BOB } from "../support/builders.ts";
import { type TestClock, testClock } from "../support/clock.ts";
import { takePublished } from "../support/published.ts";
import { type StripePeer, startStripePeer, stripeOn } from "../support/stripe_peer.ts";

const { mac } = keysOf("a secret of the tests, long enough to be one");
const NAMES: Record<string, string> = { [ALICE.accountId]: "Alice", [BOB.accountId]: "Bob" };

/** A separate Stripe and a clock for each test of a file; at the end that Stripe has had no schema violations. */
export function withStripe(take: (stage: { peer: StripePeer; clock: TestClock }) => void): void {
  let peer: StripePeer;
  beforeEach(async () => {
    const clock = testClock();
    peer = await startStripePeer({ now: clock.now });
    take({ peer, clock });
  });
  afterEach(async () => {
    await peer.stop();
    expect(peer.broken).toEqual([]);
  });
}

/** The module on in-memory adapters, or on the test's own. */
export type Parts = {
  mode?: BillingDeps["mode"];
  clock?: TestClock;
  payments?: PaymentGateway;
  transaction?: BillingDeps["transaction"];
  outbox?: Outbox;
};

export function billingWorld({ mode = "sandbox", clock = testClock(), ...parts }: Parts = {}) {
  const database = memoryDatabase();
  const sandbox = sandboxPayments({
    memory: sandboxMemory(),
    publicUrl: "https://breachbell.example",
    mac,
    newToken,
    now: clock.now,
  });
  const people = new Map(
    [ALICE, BOB].map(({ accountId, address: email }) => [
      accountId,
      { email, language: "en" as const, firstName: NAMES[accountId] ?? "", lastName: "Meyer" },
    ]),
  );
  const errors: unknown[] = [];
  const deps: BillingDeps = {
    transaction: parts.transaction ?? database.transactionOf(memoryBilling),
    mode,
    domainLimits: { domains: 1, addresses: 50 },
    mac,
    now: clock.now,
    payments: parts.payments ?? sandbox,
    payers: { of: async (accountId) => people.get(accountId) },
    usage: { of: async () => 2 },
    report: (error) => void errors.push(error),
    newId: () => Bun.randomUUIDv7(),
  };
  const billing = createBilling(deps);
  const outbox = parts.outbox ?? memoryOutbox(database);
  return {
    clock,
    deps,
    billing,
    people,
    errors,
    sandbox,
    database,
    register: ({ accountId, address }: typeof ALICE) =>
      billing.onRegistered({ type: "identity.registered", accountId, email: address, language: "en" }),
    published: () => takePublished(outbox),
    shown: async (accountId = ALICE.accountId) => accepted(await billing.showSubscription(accountId)),
    stored: (accountId = ALICE.accountId) => deps.transaction(({ subscriptions }) => subscriptions.find(accountId)),
    sessionOf: (url: string) => url.split("/").at(-1) ?? "",
    acts: sandboxActs(sandbox),
  };
}

let clicks = 0;
export const aChoice = (more: Partial<CheckoutInput> = {}): CheckoutInput => ({
  plan: "professional",
  period: "monthly",
  quantity: 1,
  currency: "EUR",
  click: `click-${++clicks}-of-tests`,
  ...more,
});

/** The same on a fake Stripe, whose events are delivered when the test says so. */
export function stripeWorld(peer: StripePeer, clock: TestClock, parts: Parts = {}) {
  const payments = parts.payments ?? stripeOn(peer);
  const world = billingWorld({ mode: "stripe", clock, ...parts, payments });
  const { billing, sessionOf } = world;
  return {
    ...world,
    async deliver({ body }: { body: string }) {
      return billing.takePaymentEvent(body, await peer.sign(body));
    },
    /** Pays on the payment page; no event has arrived yet. */
    async paid(more: Partial<CheckoutInput> = {}, accountId = ALICE.accountId) {
      const { url } = accepted(await billing.startCheckout(accountId, aChoice(more)));
      const { customer } = peer.completeCheckout(sessionOf(url));
      return { sessionId: sessionOf(url), customer };
    },
  };
}

/** The published mails, by template. */
export const mailsOf = (events: Event[]) =>
  events.flatMap((event) => (event.type === "mail.requested" ? [event.template] : []));
export const changesOf = (events: Event[]) =>
  events.flatMap((event) => (event.type === "billing.subscriptionChanged" ? [[event.active, event.cap]] : []));
