import { CHANNELS } from "../../shared/contacts.ts";
import type { Backlog, HeldReason, Message, NotificationDeps } from "../ports.ts";
import { tallyOfExpired } from "../reporting/tally.ts";
import { attempts, LEASE_MS } from "./attempt.ts";
import { type Claim, claimOpen } from "./circuit_breaker.ts";
import { adapt, endRest, hasRoom, narrow, newQueues, type Queue } from "./concurrency.ts";
import { abandoned, cancelled, held, interrupted, MAX_CLAIMS, postponed, SUSPECT_CLAIMS } from "./delivery.ts";
import { preparer } from "./prepare.ts";
import type { Prepared, Ready } from "./prepared.ts";

const LOOK_AGAIN_MS = 1000;
/** The lane that goes on while the service rests: only the staff can ask for a code then. */
const CODES = 0;

export function deliver(deps: NotificationDeps) {
  const { transaction, now, report, yieldToRequests, isUnderMaintenance = () => false } = deps;
  const prepare = preparer(deps);
  const { begin, send, record, settle } = attempts(deps);

  /** Facts that cannot be had now can be had later. */
  async function prepareOrRetry(claim: Claim): Promise<Prepared | undefined> {
    try {
      return await prepare(claim.delivery);
    } catch (error) {
      report(error, { delivery: claim.delivery.id });
      await settle(claim, interrupted(claim.delivery, now()));
      return undefined;
    }
  }

  /** A message that cannot be written will not write itself later: it waits for the operator. */
  async function writeOrHold(claim: Claim, { write }: Ready): Promise<Message | undefined> {
    try {
      return write();
    } catch (error) {
      report(error, { delivery: claim.delivery.id, kind: claim.delivery.about.kind });
      await settle(claim, held(claim.delivery, "unrenderable"));
      return undefined;
    }
  }

  /** False when it left something to do, such as telling somebody else. */
  async function deliverOne(claim: Claim): Promise<boolean> {
    const { delivery } = claim;
    if (delivery.claims > MAX_CLAIMS) {
      await settle(claim, held(delivery, "crash_loop"));
      report(new Error("Cannot send a message: its worker died each time"), { delivery: delivery.id });
      return false;
    }
    // Somebody sits and waits for a code, too.
    const way = delivery.lane === CODES ? undefined : yieldToRequests?.();
    if (way) await way;
    const prepared = await prepareOrRetry(claim);
    if (!prepared) return false;
    if ("wait" in prepared || "cancelled" in prepared) {
      const { told } = "wait" in prepared ? { told: undefined } : prepared;
      const next =
        "wait" in prepared ? postponed(delivery, prepared.wait) : cancelled(delivery, prepared.cancelled, now());
      await settle(claim, next, told);
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
  /** What ended since something was last asked for may have left more. */
  let hasLeft = false;
  let isAwake = false;
  let wake = () => {
    isAwake = true;
  };
  let stopped = false;
  const underWay = new Map<Promise<void>, Claim>();

  /** A hanging peer must not hide what has become due: look again now and then, or when told to. */
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
    // Those that end in this moment make room together.
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
        // The next of those that are tried alone need not wait for the next look.
        if (claim.delivery.claims > SUSPECT_CLAIMS) tidiedAt = 0;
        wake();
      });
    underWay.set(work, claim);
  }

  /** As much of each queue as has a place. */
  async function take(): Promise<number> {
    let taken = 0;
    for (const queue of queues.filter(hasRoom)) {
      if (stopped) break;
      queue.asked = false;
      const at = now();
      const { channels, width, running } = queue;
      const lastLane = isUnderMaintenance() ? CODES : undefined;
      const wanted = { channels, limit: width - running, now: at, leaseUntil: new Date(at.getTime() + LEASE_MS) };
      const claims = await claimOpen(deps, { ...wanted, lastLane });
      if (claims.length < wanted.limit) rest(queue);
      for (const claim of claims) start(queue, claim);
      taken += claims.length;
    }
    return taken;
  }

  /** What is too late goes, and what a dead worker left comes back. */
  async function tidy(): Promise<void> {
    const at = now();
    tidiedAt = at.getTime();
    await transaction(async ({ deliveries, tallies }) => {
      const taken = await deliveries.reclaimExpired(at);
      if (taken > 0) {
        narrow(queues);
        askAtOnce(queues);
      }
      const expired = await deliveries.expire(at);
      await deliveries.removeUnowned();
      await tallies.count(tallyOfExpired(expired, at));
    });
  }

  async function drain(): Promise<number> {
    let taken = 0;
    for (const queue of queues) endRest(queue);
    await tidy();
    try {
      for (;;) {
        isAwake = false;
        if (now().getTime() - tidiedAt >= LOOK_AGAIN_MS) await tidy();
        taken += await take();
        if (underWay.size === 0 && (stopped || !queues.some(({ asked }) => asked))) return taken;
        await wokenOrLater();
      }
    } finally {
      await Promise.all(underWay.keys());
    }
  }

  function lookAgain(): void {
    askFor(queues);
    wake();
  }

  return {
    /** Something may have become due: a run that is under way looks at once. */
    lookAgain,

    /**
     * Sends until nothing is due, a few at a time; resolves to how many deliveries were taken. Called again meanwhile
     * it looks at once for what is new, so that a sign-in code does not wait behind a slow peer.
     */
    deliverDue(): Promise<number> {
      lookAgain();
      draining ??= drain().finally(() => {
        draining = undefined;
      });
      return draining;
    },

    /**
     * Takes nothing new, and resolves when what is under way has ended; what has not by then goes back, in doubt, for
     * another process.
     */
    async stopDelivering(withinMs = Number.POSITIVE_INFINITY): Promise<void> {
      stopped = true;
      wake();
      let timer: ReturnType<typeof setTimeout> | undefined;
      const late = new Promise<void>((resolve) => {
        if (Number.isFinite(withinMs)) timer = setTimeout(resolve, withinMs);
      });
      await Promise.race([draining?.then(() => {}).catch(() => undefined), late]);
      clearTimeout(timer);
      for (const claim of underWay.values()) await settle(claim, abandoned(claim.delivery, now()));
    },

    /** What was held for this reason gets another chance; after a repair, so does its channel. */
    releaseHeld(reason: HeldReason): Promise<number> {
      return transaction(async ({ deliveries, channels }) => {
        if (reason === "misconfigured") for (const channel of CHANNELS) await channels.recover(channel);
        return deliveries.releaseHeld(reason, undefined, now());
      });
    },

    /** The queue's depth and troubles, for the health page. */
    backlog(): Promise<Backlog> {
      return transaction(({ deliveries }) => deliveries.backlog(now()));
    },
  };
}
