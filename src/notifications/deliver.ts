import { CHANNELS } from "../shared/contacts.ts";
import { attempts, type Claim, LEASE_MS } from "./attempt.ts";
import { claimOpen } from "./breaker.ts";
import { abandoned, cancelled, held, interrupted, MAX_CLAIMS, postponed } from "./delivery.ts";
import type { Backlog, HeldReason, Message, NotificationDeps } from "./ports.ts";
import { preparer } from "./prepare.ts";
import type { Prepared, Ready } from "./prepared.ts";
import { tallyOfExpired } from "./tally.ts";

const AT_ONCE = 5;
const LOOK_AGAIN_MS = 1000;
/** The lane that goes on while the service rests: only the staff can ask for a code then. */
const CODES = 0;

export function deliver(deps: NotificationDeps) {
  const { transaction, now, report, isResting = () => false } = deps;
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

  async function deliverOne(claim: Claim): Promise<void> {
    const { delivery } = claim;
    if (delivery.claims > MAX_CLAIMS) {
      await settle(claim, held(delivery, "crash_loop"));
      return report(new Error("Cannot send a message: its worker died each time"), { delivery: delivery.id });
    }
    const prepared = await prepareOrRetry(claim);
    if (!prepared) return;
    if ("wait" in prepared) return settle(claim, postponed(delivery, prepared.wait));
    if ("cancelled" in prepared) return settle(claim, cancelled(delivery, prepared.cancelled, now()), prepared.told);
    const message = await writeOrHold(claim, prepared);
    const attemptId = message && (await begin(claim, prepared));
    if (!message || attemptId === undefined) return;
    const outcome = await send(message);
    if (outcome.kind === "misconfigured")
      report(new Error(`Cannot send: ${outcome.reason}`), { channel: message.to.channel });
    await record(claim, attemptId, outcome, prepared);
  }

  let draining: Promise<number> | undefined;
  let asked = false;
  let wake = () => {};
  let stopped = false;
  const underWay = new Map<Promise<void>, Claim>();

  /** A hanging peer must not hide what has become due: look again now and then, or when told to. */
  function wokenOrLater(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, LOOK_AGAIN_MS);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  async function drain(): Promise<number> {
    const running = new Set<Promise<void>>();
    let taken = 0;

    function start(claim: Claim): void {
      const work = deliverOne(claim)
        .catch((error) => report(error, { delivery: claim.delivery.id }))
        .finally(() => {
          running.delete(work);
          underWay.delete(work);
        });
      running.add(work);
      underWay.set(work, claim);
    }

    try {
      await transaction(async ({ deliveries, tallies }) => {
        const at = now();
        const expired = await deliveries.expire(at);
        await deliveries.removeUnowned();
        await tallies.count(tallyOfExpired(expired, at));
      });
      for (;;) {
        asked = false;
        const limit = stopped ? 0 : AT_ONCE - running.size;
        const leaseUntil = new Date(now().getTime() + LEASE_MS);
        const lastLane = isResting() ? CODES : undefined;
        const wanted = { limit, now: now(), leaseUntil, lastLane };
        const batch = limit === 0 ? [] : await transaction((store) => claimOpen(store, wanted));
        for (const delivery of batch) start({ delivery, leaseToken: delivery.leaseToken ?? "" });
        taken += batch.length;
        const more = asked && !stopped && running.size < AT_ONCE;
        if (more) continue;
        if (running.size === 0) return taken;
        await Promise.race([...running, wokenOrLater()]);
        wake();
      }
    } finally {
      await Promise.all(running);
    }
  }

  return {
    /**
     * Sends until nothing is due, a few at a time; resolves to how many deliveries were taken. Called again meanwhile
     * it looks at once for what is new, so that a sign-in code does not wait behind a slow peer.
     */
    deliverDue(): Promise<number> {
      asked = true;
      wake();
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
