import { forgetAccount } from "./address_book.ts";
import { recordHealth } from "./breaker.ts";
import { change, reached, refused, refusesForGood } from "./contact.ts";
import { afterOutcome, cancelled, held, objection } from "./delivery.ts";
import type { Delivery, Message, NotificationDeps, NotificationStore, Outcome, Told } from "./ports.ts";
import type { Ready } from "./prepared.ts";
import { contactQueue } from "./queue.ts";
import { LOOK_AGAIN_MS } from "./receipts.ts";
import { type Measured, tallyOf } from "./tally.ts";

/** What a killed process held goes on within a minute, the time until somebody looks included. */
export const LEASE_MS = 50_000;
const SEND_TIMEOUT_MS = 30_000;

/** A delivery that this worker holds: its row as it was claimed, and the lease that proves it. */
export type Claim = { delivery: Delivery; leaseToken: string };

/** Writes the row, if it is still ours; what is left of nobody's goes with its end. */
async function put(store: NotificationStore, leaseToken: string, next: Delivery): Promise<boolean> {
  if (!(await store.deliveries.replaceClaimed(leaseToken, next))) return false;
  if (next.endedAt === undefined) return true;
  if (next.accountId === undefined) await store.deliveries.removeUnowned();
  // Told after the account was forgotten, as events may overtake each other.
  else if (next.reason === "account_gone") await forgetAccount(store, next.accountId);
  return true;
}

async function followReceipt(store: NotificationStore, { id, receipt, recipient }: Delivery, at: Date): Promise<void> {
  if (receipt === undefined) return;
  const lookAt = new Date(at.getTime() + LOOK_AGAIN_MS);
  await store.receipts.open({ receipt, channel: recipient.channel, deliveryId: id, sentAt: at, lookAt });
}

async function countEnd({ tallies }: NotificationStore, ended: Delivery, measured?: Measured): Promise<void> {
  const tally = tallyOf(ended, measured);
  if (tally) await tallies.count([tally]);
}

/** One try at sending, in its steps. Only `send` touches the network, and it is outside any transaction. */
export function attempts(deps: NotificationDeps) {
  const { transaction, senders, now, newId, random, report } = deps;
  const { queueLastResort } = contactQueue(deps);

  /** A message that this contact does not get goes to the account's own address, unless another contact has it. */
  async function tellAccount(
    store: NotificationStore,
    { subject, about, state, reason, id }: Delivery,
    told: Told | undefined,
  ): Promise<void> {
    const missed = state === "dead" || state === "cancelled" || reason === "refused";
    if (!missed || !told || reason === "account_gone") return;
    const others = (await store.deliveries.listBySubject(subject)).filter((other) => other.id !== id);
    const counts = (other: Delivery) =>
      ["sent", "sending", "held"].includes(other.state) || (other.state === "due" && other.reason !== "refused");
    if (!others.some(counts)) await queueLastResort(store, told, [{ subject, about }]);
  }

  async function settleIn(
    store: NotificationStore,
    leaseToken: string,
    next: Delivery,
    told: Told | undefined,
  ): Promise<void> {
    if (!(await put(store, leaseToken, next))) return;
    await tellAccount(store, next, told);
    await countEnd(store, next);
  }

  return {
    /** Ends or parks a delivery without trying, if it is still ours. */
    settle({ leaseToken }: Claim, next: Delivery, told?: Told): Promise<void> {
      return transaction((store) => settleIn(store, leaseToken, next, told));
    },

    /** Last look before sending: still ours, still wanted. Returns the attempt's id, or undefined when it is not. */
    begin({ delivery, leaseToken }: Claim, { told, lastResort }: Ready): Promise<string | undefined> {
      return transaction(async (store) => {
        const contact = delivery.contactId === undefined ? undefined : await store.contacts.find(delivery.contactId);
        const refusal = objection(delivery, contact, lastResort);
        if (refusal) {
          const next = "held" in refusal ? held(delivery, refusal.held) : cancelled(delivery, refusal.cancelled, now());
          await settleIn(store, leaseToken, next, told);
          return undefined;
        }
        const renewed = { ...delivery, leaseUntil: new Date(now().getTime() + LEASE_MS) };
        if (!(await store.deliveries.replaceClaimed(leaseToken, renewed))) return undefined;
        const id = newId();
        const attempt = {
          id,
          deliveryId: delivery.id,
          startedAt: now(),
          endedAt: undefined,
          outcome: undefined,
          detail: undefined,
        };
        await store.deliveries.startAttempt(attempt);
        return id;
      });
    },

    async send(message: Message): Promise<Outcome> {
      const { channel } = message.to;
      const sender = senders[channel];
      if (!sender) return { kind: "misconfigured", reason: `nothing here sends by ${channel}` };
      let timer: ReturnType<typeof setTimeout> | undefined;
      const late = new Promise<Outcome>((resolve) => {
        const outcome: Outcome = { kind: "retry", scope: "channel", reason: "no answer in time", inDoubt: true };
        timer = setTimeout(() => resolve(outcome), deps.sendTimeoutMs ?? SEND_TIMEOUT_MS);
      });
      try {
        return await Promise.race([sender.send(message), late]);
      } catch (error) {
        report(error, { delivery: message.deliveryId });
        return { kind: "retry", scope: "contact", reason: "the sender failed", inDoubt: true };
      } finally {
        clearTimeout(timer);
      }
    },

    /** What came of it, for the row, its contact and its channel; nothing at all when another worker has taken over. */
    async record(
      { delivery, leaseToken }: Claim,
      attemptId: string,
      outcome: Outcome,
      { told, measured }: Pick<Ready, "told" | "measured">,
    ): Promise<void> {
      const restsFor = await transaction(async (store) => {
        const at = now();
        const { contactId, recipient } = delivery;
        const contact = contactId === undefined ? undefined : await store.contacts.find(contactId);
        const forGood = contact !== undefined && refusesForGood(contact, at);
        const next = afterOutcome(delivery, outcome, { now: at, random: random(), refusesForGood: forGood });
        // Also when the row was lost or deleted meanwhile: it repeats all the same.
        if (outcome.kind === "delivered") await followReceipt(store, next, at);
        if (!(await put(store, leaseToken, next))) return 0;
        const detail = "reason" in outcome ? outcome.reason.slice(0, 300) : undefined;
        await store.deliveries.endAttempt(attemptId, { endedAt: at, outcome: outcome.kind, detail });
        if (contactId !== undefined && outcome.kind === "delivered") await change(store.contacts, contactId, reached);
        if (contactId !== undefined && outcome.kind === "dead" && outcome.cause === "recipient")
          await change(store.contacts, contactId, (stored) => refused(stored, at, outcome.forGood));
        await tellAccount(store, next, told);
        const rest = await recordHealth(store, recipient.channel, outcome, at);
        await countEnd(store, next, measured);
        return rest;
      });
      if (restsFor > 0) {
        const reason = "reason" in outcome ? outcome.reason : "";
        report(new Error(`Cannot send: the channel rests after repeated failures: ${reason}`), {
          channel: delivery.recipient.channel,
          restsFor,
        });
      }
    },
  };
}
