import { together } from "../../shared/batching.ts";
import { orLate } from "../../shared/or_late.ts";
import { forgetAccount } from "../contacts/address_book.ts";
import { change, reached, refused, refusesForGood } from "../contacts/contact.ts";
import type {
  AlertAudience,
  Contact,
  Delivery,
  DeliveryStat,
  DeliveryState,
  Message,
  Note,
  NotificationStore,
  Outcome,
  Report,
  Senders,
  StoreAndClock,
} from "../ports.ts";
import { LOOK_AGAIN_MS } from "../pushover/receipts.ts";
import { type Measured, statOf } from "../reporting/tally.ts";
import { type Claim, circuitBreaker, withoutAddresses } from "./circuit_breaker.ts";
import { afterOutcome, suppressed } from "./delivery.ts";
import type { Ready } from "./prepared.ts";
import type { ContactQueue } from "./queue.ts";

/** With the polling interval, deliveries of a killed process continue within a minute. */
const LEASE_MS = 50_000;
/** Leases are renewed when this much of them has passed, so that a slow database or process hardly loses one. */
const RENEW_AFTER_MS = 15_000;
/** Of a send, by a sender that does not say. */
const DEADLINE_MS = 30_000;

export const leaseFrom = (at: Date) => new Date(at.getTime() + LEASE_MS);
/** Whether the message has waited for its server so long that it is unlikely to crash its worker. */
export const isSlow = ({ sendingSince }: Claim, at: Date) =>
  sendingSince !== undefined && at.getTime() - sendingSince.getTime() >= RENEW_AFTER_MS;
const isShort = ({ leaseUntil }: Claim, at: Date) => leaseUntil.getTime() - at.getTime() <= LEASE_MS - RENEW_AFTER_MS;

/** Renews those leases that have run for a while, however long the messages take: a slow server gets no second copy. */
export async function renewShort({ deliveries }: NotificationStore, claims: Iterable<Claim>, at: Date): Promise<void> {
  const short = [...claims].filter((claim) => isShort(claim, at));
  const leaseUntil = leaseFrom(at);
  await deliveries.renewLeases(
    short.map((claim) => ({ id: claim.delivery.id, leaseToken: claim.leaseToken, isSlow: isSlow(claim, at) })),
    leaseUntil,
  );
  for (const claim of short) claim.leaseUntil = leaseUntil;
}

/** How long outcomes may wait to be recorded as one batch: if the process dies meanwhile, all of them are in doubt. */
const RECORD_EVERY_MS = 50;

/** Batch size of one transaction, as an embedded database must not be blocked for long. */
const MOST_TOGETHER = 100;

/** A delivery that is about to be sent, with what is needed to record its outcome. */
export type Try = { claim: Claim; ready: Ready; attemptId: string; contact: Contact | undefined };
export type Ended = Try & { outcome: Outcome };
/** An outcome as it was stored, and for how many milliseconds the channel rests because of it. */
type Recorded = { next: Delivery; outcome: Outcome; stats: DeliveryStat[]; rests: number };

const STATE_SAYS: Record<DeliveryState, string> = {
  due: "A message will be tried again",
  sending: "A message is being sent",
  sent: "A message was sent",
  held: "A message is held back",
  dead: "A message could not be delivered",
  cancelled: "A message was not sent",
};

/** Writes the row if the lease is still held. */
async function put(store: NotificationStore, leaseToken: string, next: Delivery): Promise<boolean> {
  if (!(await store.deliveries.replaceClaimed(leaseToken, next))) return false;
  // Announced after the account was forgotten, as events may overtake each other.
  if (next.reason === "account_gone" && next.accountId !== undefined) await forgetAccount(store, next.accountId);
  return true;
}

async function followReceipt(store: NotificationStore, { id, receipt, recipient }: Delivery, at: Date): Promise<void> {
  if (receipt === undefined) return;
  const lookAt = new Date(at.getTime() + LOOK_AGAIN_MS);
  await store.receipts.open({ receipt, channel: recipient.channel, deliveryId: id, sentAt: at, lookAt });
}

type Needs = StoreAndClock & {
  senders: Senders;
  queueLastResort: ContactQueue["queueLastResort"];
  newId: () => string;
  random: () => number;
  note: Note;
  report: Report;
};

export type Attempts = ReturnType<typeof attempts>;

/** One attempt at sending, in steps. Only `send` uses the network, outside any transaction. */
export function attempts({ transaction, senders, queueLastResort, newId, random, note, report, now }: Needs) {
  const { noteDelivered, noteOutcome } = circuitBreaker(note);

  /** Answers "what became of this message?" in the log, by ids alone. */
  function noteState(next: Delivery, outcome?: Outcome): void {
    const { id: delivery, accountId: account, recipient, about, state, reason, attempts, runAt } = next;
    const cause = outcome && outcome.kind !== "delivered" ? withoutAddresses(outcome) : undefined;
    const context = { delivery, account, channel: recipient.channel, kind: about.kind, state, reason, attempts, cause };
    note(STATE_SAYS[state], state === "due" ? { ...context, nextTry: runAt.toISOString() } : context);
  }

  /** A message that this contact does not get goes to the account's own address, unless another contact has it. */
  async function tellAccount(
    store: NotificationStore,
    { subject, about, state, reason, id }: Delivery,
    told: AlertAudience | undefined,
  ): Promise<void> {
    const missed = state === "dead" || state === "cancelled" || reason === "refused";
    if (!missed || !told || reason === "account_gone") return;
    const others = (await store.deliveries.listBySubject(subject)).filter((other) => other.id !== id);
    const counts = (other: Delivery) =>
      ["sent", "sending", "held"].includes(other.state) || (other.state === "due" && other.reason !== "refused");
    if (!others.some(counts)) await queueLastResort(store, told, [{ subject, about }]);
  }

  /** Ends or holds a delivery without an attempt; false if the lease was lost. */
  async function endUnsentIn(
    store: NotificationStore,
    { leaseToken }: Claim,
    next: Delivery,
    told: AlertAudience | undefined,
  ): Promise<boolean> {
    if (!(await put(store, leaseToken, next))) return false;
    await tellAccount(store, next, told);
    await store.stats.count(statsOf(next));
    return true;
  }

  /** The deliveries whose leases are still held. */
  async function startAll(store: NotificationStore, tries: Try[], at: Date): Promise<Set<string>> {
    await renewShort(
      store,
      tries.map(({ claim }) => claim),
      at,
    );
    const open = { startedAt: at, endedAt: undefined, outcome: undefined, detail: undefined };
    const started = tries.map(({ attemptId, claim: { delivery, leaseToken } }) => {
      return { ...open, id: attemptId, deliveryId: delivery.id, leaseToken };
    });
    return new Set(await store.deliveries.startHeldAttempts(started));
  }

  /** The last check before sending: the lease is held and the message still wanted. Undefined for all others. */
  async function beginAll(list: Pick<Try, "claim" | "ready">[]): Promise<(Try | undefined)[]> {
    const ended: Delivery[] = [];
    const begun = await transaction(async (store) => {
      const contacts = await contactsOf(store, list);
      const going: Try[] = [];
      ended.length = 0;
      for (const { claim, ready } of list) {
        const { delivery } = claim;
        const contact = contacts.get(delivery.contactId ?? "");
        const next = suppressed(delivery, contact, { lastResort: ready.lastResort, now: now() });
        if (!next) going.push({ claim, ready, contact, attemptId: newId() });
        else if (await endUnsentIn(store, claim, next, ready.told)) ended.push(next);
      }
      const started = await startAll(store, going, now());
      const tries = new Map(going.map((one) => [one.claim, one]));
      return list.map(({ claim }) => {
        const one = tries.get(claim);
        return one && started.has(one.attemptId) ? one : undefined;
      });
    });
    for (const next of ended) noteState(next);
    return begun;
  }

  /** Records successful deliveries, by far the most common outcome, in one batch. */
  async function recordArrived(store: NotificationStore, arrived: Ended[], at: Date): Promise<Recorded[]> {
    const ends = arrived.map((one) => ({ ...one, next: nextOf(one, undefined, at) }));
    for (const { next } of ends) await followReceipt(store, next, at);
    const written = new Set(
      await store.deliveries.replaceAllClaimed(
        ends.map(({ claim: { leaseToken }, next }) => ({ leaseToken, delivery: next })),
      ),
    );
    const ours = ends.filter(({ next }) => written.has(next.id));
    const ended = store.deliveries.endAttempts(
      ours.map(({ attemptId }) => ({ id: attemptId, endedAt: at, outcome: "delivered", detail: undefined })),
    );
    // Pipelined: sent one after the other, awaited once.
    await Promise.all([ended, noteReached(store, ours, at)]);
    return ours.map(({ next, ready, outcome }) => ({ next, outcome, stats: statsOf(next, ready.measured), rests: 0 }));
  }

  async function noteReached(store: NotificationStore, arrived: Ended[], at: Date): Promise<void> {
    // Contacts as they were before sending: hardly any of them change.
    for (const contact of new Map(arrived.map(({ contact }) => [contact?.id, contact])).values())
      if (contact && reached(contact) !== contact) await change(store.contacts, contact.id, reached);
    for (const channel of new Set(arrived.map(({ claim }) => claim.delivery.recipient.channel)))
      await noteDelivered(store, channel, at);
  }

  function nextOf({ claim: { delivery }, outcome }: Ended, contact: Contact | undefined, at: Date): Delivery {
    const forGood = contact !== undefined && refusesForGood(contact, at);
    return afterOutcome(delivery, outcome, { now: at, random: random(), refusesForGood: forGood });
  }

  /** Undefined if the lease was lost. */
  async function recordOne(store: NotificationStore, one: Ended, at: Date): Promise<Recorded | undefined> {
    const { claim, outcome, attemptId, ready } = one;
    const { contactId } = claim.delivery;
    const next = nextOf(one, contactId === undefined ? undefined : await store.contacts.find(contactId), at);
    // Even if the row was lost or deleted meanwhile, as the emergency keeps repeating.
    if (outcome.kind === "delivered") await followReceipt(store, next, at);
    if (!(await put(store, claim.leaseToken, next))) return undefined;
    const detail = "reason" in outcome ? outcome.reason.slice(0, 300) : undefined;
    await store.deliveries.endAttempts([{ id: attemptId, endedAt: at, outcome: outcome.kind, detail }]);
    if (contactId !== undefined && outcome.kind === "delivered") await change(store.contacts, contactId, reached);
    if (contactId !== undefined && outcome.kind === "dead" && outcome.cause === "recipient")
      await change(store.contacts, contactId, (stored) => refused(stored, at, outcome.forGood));
    await tellAccount(store, next, ready.told);
    const stats = statsOf(next, ready.measured);
    if (outcome.kind !== "delivered")
      return { next, outcome, stats, rests: await noteOutcome(store, claim, outcome, at) };
    await noteDelivered(store, claim.delivery.recipient.channel, at);
    return { next, outcome, stats, rests: 0 };
  }

  /** Records the outcomes; returns for how many milliseconds each channel is paused from now on. */
  async function recordAll(list: Ended[]): Promise<number[]> {
    const isPlain = ({ outcome, claim }: Ended) =>
      outcome.kind === "delivered" && claim.delivery.accountId !== undefined;
    const recorded = await transaction(async (store) => {
      const at = now();
      const recorded = await recordArrived(store, list.filter(isPlain), at);
      for (const one of list) {
        const other = isPlain(one) ? undefined : await recordOne(store, one, at);
        if (other) recorded.push(other);
      }
      await store.stats.count(recorded.flatMap(({ stats }) => stats));
      return recorded;
    });
    for (const { next, outcome } of recorded) noteState(next, outcome);
    const restsOf = new Map(recorded.map(({ next, rests }) => [next.id, rests]));
    return list.map(({ claim }) => restsOf.get(claim.delivery.id) ?? 0);
  }

  const recordTogether = together(recordAll, { everyMs: RECORD_EVERY_MS, most: MOST_TOGETHER });

  return {
    async endUnsent(claim: Claim, next: Delivery, told?: AlertAudience): Promise<void> {
      if (await transaction((store) => endUnsentIn(store, claim, next, told))) noteState(next);
    },

    /** Undefined when the lease was lost or the message is no longer wanted. */
    begin: together(beginAll, { most: MOST_TOGETHER }),

    async send(message: Message): Promise<Outcome> {
      const { channel } = message.to;
      const sender = senders[channel];
      if (!sender) return { kind: "misconfigured", scope: "message", reason: `nothing here sends by ${channel}` };
      const late: Outcome = { kind: "retry", scope: "channel", reason: "no answer in time", inDoubt: true };
      try {
        return await orLate(sender.deadlineMs ?? DEADLINE_MS, sender.send(message), late);
      } catch (error) {
        report(error, { delivery: message.deliveryId });
        return { kind: "retry", scope: "contact", reason: "the sender failed", inDoubt: true };
      }
    },

    /** Records the outcome for the row, its contact and its channel; nothing when another worker has taken over. */
    async record(one: Ended): Promise<void> {
      const restsFor = await recordTogether(one);
      if (restsFor === 0) return;
      const reason = "reason" in one.outcome ? one.outcome.reason : "";
      report(new Error(`Sending is paused after repeated failures: ${reason}`), {
        channel: one.claim.delivery.recipient.channel,
        restsFor,
      });
    },
  };
}

/** By their ids, as they are now. */
async function contactsOf(store: NotificationStore, list: { claim: Claim }[]): Promise<Map<string, Contact>> {
  const ids = list.flatMap(({ claim }) => claim.delivery.contactId ?? []);
  return new Map((await store.contacts.listByIds([...new Set(ids)])).map((contact) => [contact.id, contact]));
}

function statsOf(ended: Delivery, measured?: Measured): DeliveryStat[] {
  const stat = statOf(ended, measured);
  return stat ? [stat] : [];
}
