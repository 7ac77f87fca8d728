import { expect } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sandboxPayments } from "../../src/billing/adapters/sandbox/sandbox.ts";
import { sandboxActs } from "../../src/billing/adapters/sandbox/sandbox_acts.ts";
import { type SandboxMemory, sandboxFile, sandboxMemory } from "../../src/billing/adapters/sandbox/sandbox_state.ts";
import type { GatewayAnswer, PaymentGateway } from "../../src/billing/gateway_ports.ts";
import { keysOf, newToken } from "../../src/runtime/crypto.ts";
import { type TestClock, testClock } from "./clock.ts";
import { startStripePeer, stripeOn } from "./stripe_peer.ts";

type Signed = { body: string; signature: string };
/** A payment provider, and the actions of its payers. */
export type Opened = {
  payments: PaymentGateway;
  clock: TestClock;
  pay(sessionId: string): Promise<void>;
  cancel(customerId: string): Promise<void>;
  /** The period ends and the next one is not paid. */
  failRenewal(customerId: string): Promise<void>;
  payOpen(customerId: string): Promise<void>;
  event(customerId: string): Promise<Signed>;
};

const closers: (() => Promise<void>)[] = [];
export async function closeGateways(): Promise<void> {
  for (const close of closers.splice(0)) await close();
}

export async function onStripe(): Promise<Opened> {
  const clock = testClock();
  const peer = await startStripePeer({ now: clock.now });
  closers.push(async () => {
    await peer.stop();
    expect(peer.broken).toEqual([]);
  });
  return {
    payments: stripeOn(peer),
    clock,
    pay: async (sessionId) => void peer.completeCheckout(sessionId),
    cancel: async (customerId) => peer.cancelAtPeriodEnd(customerId),
    failRenewal: async (customerId) => peer.renew(customerId, { fails: true }),
    payOpen: async (customerId) => peer.payOpen(customerId),
    async event(customerId) {
      peer.setQuantity(customerId, 2);
      const body = peer.takeEvents().at(-1)?.body ?? "";
      return { body, signature: await peer.sign(body) };
    },
  };
}

export async function onSandboxFile(): Promise<Opened> {
  const directory = mkdtempSync(join(tmpdir(), "breachbell-sandbox-"));
  closers.push(async () => rmSync(directory, { recursive: true }));
  // Read again each time, as by a process that starts.
  return onSandbox({ change: (work) => sandboxFile(join(directory, "deep/payments.json")).change(work) });
}

export async function onSandbox(memory: SandboxMemory = sandboxMemory()): Promise<Opened> {
  const clock = testClock();
  const { mac } = keysOf("a secret of the tests, long enough to be one");
  const payments = sandboxPayments({ memory, publicUrl: "https://breachbell.example", mac, newToken, now: clock.now });
  const acts = sandboxActs(payments);
  const portalOf = async (customerId: string) => {
    const opened = got(await payments.createPortal(customerId, "en"));
    return opened.url.split("/").at(-1) ?? "";
  };
  return {
    payments,
    clock,
    pay: async (sessionId) => void acts.pay(sessionId),
    cancel: async (customerId) => void acts.act(await portalOf(customerId), "cancel"),
    async failRenewal(customerId) {
      const portal = await portalOf(customerId);
      acts.act(portal, "fail");
      acts.act(portal, "renew");
    },
    payOpen: async (customerId) => void acts.act(await portalOf(customerId), "pay"),
    event: async (customerId) => payments.tell("customer.subscription.updated", customerId),
  };
}

export function got<Value>(answer: GatewayAnswer<Value>): Value {
  if (!answer.ok) throw new Error(`There is no answer: ${answer.reason}`);
  return answer.value;
}
