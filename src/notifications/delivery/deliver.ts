import { CHANNELS, type Channel } from "../../shared/contacts.ts";
import type { Backlog, HeldReason, Message, NotificationDeps } from "../ports.ts";
import { statsOfExpired } from "../reporting/tally.ts";
import { attempts, leaseFrom, renewShort } from "./attempt.ts";
import { type Claim, claimOpen } from "./circuit_breaker.ts";
import { adapt, CODES, endRest, hasRoom, narrow, newQueues, type Queue } from "./concurrency.ts";
import { abandoned, cancelled, held, interrupted, MAX_CLAIMS, postponed, SUSPECT_CLAIMS } from "./delivery.ts";
import { preparer } from "./prepare.ts";
import type { Prepared, Ready } from "./prepared.ts";

const LOOK_AGAIN_MS = 1000;

export function deliver(deps: NotificationDeps) {
  const { transaction, senders, now, report, note, yieldToRequests, isUnderMaintenance = () => false } = deps;
  const prepare = preparer(deps);
  const { begin, send, record, endUnsent } = attempts(deps);

  /** Facts that are unavailable now are retried later. */
  async function prepareOrRetry(claim: Claim): Promise<Prepared | undefined> {
    try {
      return await prepare(claim.delivery);
    } catch (error) {
      report(error, { delivery: claim.delivery.id });
      await endUnsent(claim, interrupted(claim.delivery, now()));
      return undefined;
    }
  }

  /** A message that cannot be rendered is held for the operator, as a retry would not help. */
  async function writeOrHold(claim: Claim, { write }: Ready): Promise<Message | undefined> {
    try {
      return write();
    } catch (error) {
      report(error, { delivery: claim.delivery.id, kind: claim.delivery.about.kind });
      await endUnsent(claim, held(claim.delivery, "unrenderable"));
      return undefined;
    }
  }

  /** False when there is more to do, such as notifying another contact. */
  async function deliverOne(claim: Claim): Promise<boolean> {
    const { delivery } = claim;
    if (delivery.claims > MAX_CLAIMS) {
      await endUnsent(claim, held(delivery, "crash_loop"));
      report(new Error("Cannot send a message: its worker died each time"), { delivery: delivery.id });
      return false;
    }
    // Codes are not throttled, as a user waits for them.
    const way = delivery.lane === CODES ? undefined : yieldToRequests?.();
    if (way) await way;
    const prepared = await prepareOrRetry(claim);
    if (!prepared) return false;
    if ("wait" in prepared || "cancelled" in prepared) {
      const { told } = "wait" in prepared ? { told: undefined } : prepared;
      const next =
        "wait" in prepared ? postponed(delivery, prepared.wait) : cancelled(delivery, prepared.cancelled, now());
      await endUnsent(claim, next, told);
      return false;
    }
    const message = await writeOrHold(claim, prepared);
    const begun = message && (await begin({ claim, ready: prepared }));
    if (!message || !begun) return false;
    const outcome = await send(message);
    if (outcome.kind === "misconfigured")
      report(new Error(`Cannot send: ${outcome.reason}`), { channel: message.to.channel });
    await record({ ...begun, outcome });
    return outcome.kind === "delivered" && claim.delivery.claims === 1;
  }

  const queues = newQueues();
  let draining: Promise<number> | undefined;
  let tidiedAt = 0;
  /** Whether a finished delivery may have made further ones due. */
  let hasLeft = false;
  let isAwake = false;
  let wake = () => {
    isAwake = true;
  };
  let stopped = false;
  const underWay = new Map<Promise<void>, Claim>();

  /** Waits until woken, but polls periodically, so that a hanging peer does not hide new work. */
  async function wokenOrLater(): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => {
        askFor(queues);
        resolve();
      }, LOOK_AGAIN_MS);
      wake = () => {
        isAwake = true;
        clearTimeout(timer);
        resolve();
      };
      if (isAwake) wake();
    });
    // Lets deliveries that end in the same tick free their slots together.
    await new Promise((resolve) => setImmediate(resolve));
  }

  function askFor(some: Queue[]): void {
    for (const queue of some) queue.asked = true;
  }

  function askAtOnce(some: Queue[]): void {
    askFor(some);
    for (const queue of some) endRest(queue);
  }

  function rest(queue: Queue): void {
    endRest(queue);
    queue.rest = setTimeout(() => {
      endRest(queue);
      if (queue.asked) wake();
    }, queue.restMs);
  }

  function start(queue: Queue, claim: Claim): void {
    const from = now().getTime();
    queue.running += 1;
    const work = deliverOne(claim)
      .catch((error) => report(error, { delivery: claim.delivery.id }))
      .then((wasPlain) => {
        queue.running -= 1;
        underWay.delete(work);
        hasLeft ||= !wasPlain;
        if (underWay.size === 0) askAtOnce(hasLeft ? queues : [queue]);
        hasLeft &&= underWay.size > 0;
        adapt(queue, now().getTime() - from);
        // The next suspect delivery need not wait for the next clean-up.
        if (claim.delivery.claims > SUSPECT_CLAIMS) tidiedAt = 0;
        wake();
      });
    underWay.set(work, claim);
  }

  /** Claims as much for each queue as it has room for. */
  async function take(): Promise<number> {
    let taken = 0;
    for (const queue of queues.filter(hasRoom)) {
      if (stopped) break;
      queue.asked = false;
      const at = now();
      const { channels, width, running } = queue;
      // In maintenance mode only staff can ask for codes, and nothing else is sent.
      const lowestPriority = isUnderMaintenance() ? CODES : queue.lowestPriority;
      const wanted = { channels, limit: width - running, now: at, leaseUntil: leaseFrom(at) };
      // Its queue for all mails has the codes, too.
      const mayProbe = queue.lowestPriority === undefined;
      const claims = await claimOpen(deps, { ...wanted, lowestPriority, mayProbe });
      if (claims.length < wanted.limit) rest(queue);
      for (const claim of claims) start(queue, claim);
      taken += claims.length;
    }
    return taken;
  }

  /** Renews the leases of what is under way, expires late deliveries, and reclaims those whose lease ran out. */
  async function tidy(): Promise<void> {
    const at = now();
    tidiedAt = at.getTime();
    const expired = await transaction(async (store) => {
      const { deliveries, stats } = store;
      await renewShort(store, underWay.values(), at);
      const taken = await deliveries.reclaimExpired(at);
      if (taken > 0) {
        narrow(queues);
        askAtOnce(queues);
      }
      const expired = await deliveries.expire(at);
      await deliveries.removeUnowned();
      await stats.count(statsOfExpired(expired, at));
      return expired;
    });
    for (const { id: delivery, channel } of expired)
      note?.("A message expired before it could be sent", { delivery, channel });
  }

  async function drain(): Promise<number> {
    let taken = 0;
    for (const queue of queues) endRest(queue);
    await tidy();
    for (;;) {
      isAwake = false;
      if (now().getTime() - tidiedAt >= LOOK_AGAIN_MS) await tidy();
      taken += await take();
      if (underWay.size === 0 && (stopped || !queues.some(({ asked }) => asked))) return taken;
      await wokenOrLater();
    }
  }

  function lookAgain(): void {
    askFor(queues);
    wake();
  }

  return {
    /** Something may have become due: wakes a running loop. */
    lookAgain,

    /**
     * Sends until nothing is due, with limited concurrency; resolves to the number of claimed deliveries. A call during a run
     * wakes it immediately, so that a login code does not wait behind a slow peer.
     */
    deliverDue(): Promise<number> {
      lookAgain();
      draining ??= drain().finally(() => {
        draining = undefined;
      });
      return draining;
    },

    /**
     * Claims nothing new and resolves when the current deliveries have ended; those that have not in time are released, in
     * doubt, for another process.
     */
    async stopDelivering(withinMs = Number.POSITIVE_INFINITY): Promise<void> {
      stopped = true;
      wake();
      let timer: ReturnType<typeof setTimeout> | undefined;
      const late = new Promise<void>((resolve) => {
        if (Number.isFinite(withinMs)) timer = setTimeout(resolve, withinMs);
      });
      const done = (async () => {
        await draining?.catch(() => undefined);
        await Promise.all(underWay.keys());
      })();
      await Promise.race([done, late]);
      clearTimeout(timer);
      if (underWay.size === 0) return;
      for (const claim of underWay.values()) await endUnsent(claim, abandoned(claim.delivery, now()));
      // From now on another process may send them.
      for (const sender of Object.values(senders)) await sender.close?.();
    },

    /** Retries deliveries held for this reason; after a repair, their channel too. */
    releaseHeld(reason: HeldReason): Promise<number> {
      return transaction(async ({ deliveries, channels }) => {
        if (reason === "misconfigured") for (const channel of CHANNELS) await channels.recover(channel);
        return deliveries.releaseHeld(reason, undefined, now());
      });
    },

    /** After a repair: resumes these channels, and retries their messages now. Returns the number of messages. */
    async resumeChannels(repaired: readonly Channel[]): Promise<number> {
      const counts = await transaction(async ({ deliveries, channels }) => {
        for (const channel of repaired) await channels.recover(channel);
        return Promise.all(repaired.map((channel) => deliveries.resume(channel, now())));
      });
      lookAgain();
      return counts.reduce((sum, count) => sum + count, 0);
    },

    /** Queue depth and problems, for the health page. */
    backlog(): Promise<Backlog> {
      return transaction(({ deliveries }) => deliveries.backlog(now()));
    },
  };
}
