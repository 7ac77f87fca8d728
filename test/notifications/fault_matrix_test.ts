import { afterEach, describe, expect, test } from "bun:test";
import { newContact } from "../../src/notifications/contacts/contact.ts";
import type { Delivery, MessageSender } from "../../src/notifications/ports.ts";
import { memorySender } from "../memory/notifications/store.ts";
import { type Case, casesOf } from "../support/channel_outcomes.ts";
import { type OpenedProvider, PROVIDER_OPENERS, type ProviderName } from "../support/channel_providers.ts";
import { IS_NIGHTLY, inGateOneOfEach } from "../support/tier.ts";
import { DAY, keys, MINUTE, postOffice } from "./post_office.ts";

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

const NAMES = Object.keys(PROVIDER_OPENERS) as ProviderName[];
/** They drop a message that they have already, by its id. */
const DROPPING = ["webhook", "matrix"];
/** Long enough for a busy machine; short where no response comes anyway. */
const PATIENCE_MS = 1500;
const SHORT_MS = 60;
const isSilent = ({ name, expected }: Case) => /^(hang|slow body)$/.test(name) && expected.kind === "retry";

/** Alice with one contact of this provider, and the whole delivery loop with a manual clock. */
async function officeOver(name: ProviderName, timeoutMs = PATIENCE_MS) {
  const mail = memorySender();
  const senders: Record<string, MessageSender> = { email: mail };
  const office = postOffice({ senders });
  const provider: OpenedProvider = await PROVIDER_OPENERS[name]({
    now: office.deps.now,
    cleanUps,
    timeoutMs,
  });
  const { channel, value, secret, chatId } = provider.recipient;
  senders[channel] = provider.sender;
  const address = { channel, value };
  const id = crypto.randomUUID();
  const { now } = office.deps;
  const contact = newContact({ id, accountId: "alice", address, language: "en", own: true, now: now() });
  const settings = secret === undefined ? {} : { secret: keys.cipher.encrypt(secret) };
  await office.deps.transaction(({ contacts }) => contacts.add({ ...contact, settings, chatId }));
  office.watch("home", "alice@home.example", [{ channel, value }]);

  async function raise(alertId: string): Promise<void> {
    await office.onAlertsRaised({ type: "breaches.alertsRaised", alerts: [office.found(alertId, "home")] });
  }
  async function rowOf(alertId: string): Promise<Delivery> {
    const rows = await office.deliveriesOf(`alert:${alertId}`);
    const row = rows.find(({ recipient }) => recipient.channel === channel);
    if (!row) throw new Error(`Cannot find the delivery of "${alertId}"`);
    return row;
  }
  /** Until the alert is no longer pending, advancing the clock to the next event each time. */
  async function settle(alertId: string): Promise<Delivery> {
    for (let tries = 0; tries < 500; tries++) {
      await office.deliverDue();
      const row = await rowOf(alertId);
      if (row.state !== "due") return row;
      office.advance(Math.max(row.runAt.getTime() - office.deps.now().getTime(), 10 * MINUTE));
    }
    throw new Error(`Cannot settle the delivery of "${alertId}"`);
  }
  return { office, provider, mail, raise, rowOf, settle };
}

/** The final state of a delivery whose provider never recovers. */
function endOf({ kind, cause }: Case["expected"]): Pick<Delivery, "state" | "reason"> {
  if (kind === "delivered") return { state: "sent", reason: undefined };
  if (kind === "misconfigured") return { state: "held", reason: "misconfigured" };
  if (kind === "dead") return { state: "dead", reason: cause === "message" ? "rejected" : "refused" };
  return { state: "dead", reason: "gave_up" };
}

describe.each(NAMES)("deliverDue() over %s", (name) => {
  // The gate omits failures that wait in real time, and plays permanent failures once per final state.
  const quick = casesOf(name).filter((each) => IS_NIGHTLY || !isSilent(each));
  const endless = inGateOneOfEach(quick, ({ expected: { kind, cause } }) => `${kind} ${cause}`);
  const named = (each: Case) => [each.name, each] as const;

  test.each(quick.map(named))("delivers after one %s, or records the reason", async (_, fault) => {
    const { office, provider, raise, settle } = await officeOver(name);
    await raise("one");
    provider.failNext(fault.failure);
    let row = await settle("one");
    const passes = fault.expected.kind === "delivered" || fault.expected.kind === "retry";
    const tried = fault.expected.kind === "dead" && fault.expected.cause === "recipient" && !fault.expected.forGood;
    expect(row).toMatchObject(passes || tried ? { state: "sent", reason: undefined } : endOf(fault.expected));
    if (row.state === "held") {
      expect(office.reports.length).toBeGreaterThan(0);
      await office.releaseHeld("misconfigured");
      row = await settle("one");
      expect(row.state).toBe("sent");
    }
    const copies = provider.received().length;
    const isRepeated = fault.failure.taken && row.attempts > 1 && !DROPPING.includes(name);
    expect(copies).toBe(row.state === "dead" ? 0 : isRepeated ? 2 : 1);
    // If it may have been delivered twice, its row says so.
    if (copies > 1) expect(row.inDoubt).toBe(true);
  });

  test.each(endless.map(named))("visibly ends a delivery when %s is permanent", async (_, fault) => {
    const timeoutMs = isSilent(fault) ? SHORT_MS : PATIENCE_MS;
    const { office, provider, mail, raise, rowOf, settle } = await officeOver(name, timeoutMs);
    await raise("one");
    provider.failAlways(fault.failure);
    const began = office.deps.now().getTime();
    const row = await settle("one");
    expect(row).toMatchObject(endOf(fault.expected));
    expect(office.deps.now().getTime() - began).toBeLessThan(4 * DAY);
    const tries = await office.attemptsOf(row.id);
    // As often as the schedule allows, each with its outcome.
    expect(tries.length).toBeLessThanOrEqual(20);
    expect(new Set(tries.map(({ outcome }) => outcome))).toEqual(new Set([fault.expected.kind]));
    if (row.state === "sent") return;
    for (const { detail } of tries) expect(detail).toBeTruthy();
    if (row.state === "held") return expect(await office.backlog()).toMatchObject({ held: 1, dead: 0 });

    // What could not be delivered there was delivered to the account's own address.
    expect(mail.sent.map(({ to }) => to.value)).toEqual(["alice@breachbell.example"]);
    const [state] = (await office.statesOf("alice")).filter(({ channel }) => channel !== "email");
    expect(state?.state).toBe(row.reason === "refused" ? "broken" : "active");
    expect((await rowOf("one")).state).toBe("dead");
  });

  test("disables a contact that its provider does not know", async () => {
    const gone = casesOf(name).find(({ expected }) => expected.forGood);
    if (!gone) return expect(name).toStartWith("ntfy");
    const { office, provider, raise, settle } = await officeOver(name);
    provider.failNext(gone.failure);
    await raise("one");
    expect(await settle("one")).toMatchObject({ state: "dead", reason: "refused", attempts: 1 });
    await raise("two");
    await office.deliverDue();
    expect(provider.received()).toEqual([]);
  });
});

test("deliverDue() makes no request to a channel before the retry time of its provider", async () => {
  const { office, provider, raise, rowOf, settle } = await officeOver("pushover");
  await raise("one");
  const hour = casesOf("pushover").find((each) => each.name === "429 for an hour") as Case;
  provider.failNext(hour.failure);
  await office.deliverDue();
  await raise("two");
  office.advance(59 * MINUTE);
  await office.deliverDue();
  expect((await rowOf("two")).attempts).toBe(0);
  expect(provider.received()).toEqual([]);
  expect(office.reports.map(String).join()).toContain("Sending is paused");
  office.advance(2 * MINUTE);
  expect((await settle("one")).state).toBe("sent");
  expect((await settle("two")).state).toBe("sent");
});
