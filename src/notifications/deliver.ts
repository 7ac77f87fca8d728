import { CHANNELS, type Channel } from "../shared/contacts.ts";
import { attempts, LEASE_MS } from "./attempt.ts";
import { type Claim, claimOpen } from "./breaker.ts";
import { abandoned, cancelled, held, interrupted, MAX_CLAIMS, postponed } from "./delivery.ts";
import type { Backlog, HeldReason, Message, NotificationDeps } from "./ports.ts";
import { preparer } from "./prepare.ts";
import type { Prepared, Ready } from "./prepared.ts";
import { tallyOfExpired } from "./tally.ts";

const AT_ONCE = 5;
/** Of mails, as long as each is done quickly: those of a moment share their transactions. */
const MOST_MAILS = 200;
const QUICK_MS = 1000;
const LOOK_AGAIN_MS = 1000;
/** While others are being sent: more may be on its way into the queue. */
const LOOK_SOON_MS = 50;
/** The lane that goes on while the service rests: only the staff can ask for a code then. */
const CODES = 0;

const isOther = (channel: Channel) => channel !== "email";

/** Channels that share their places, so that one that hangs takes none from the other queue. */
type Queue = {
  channels: Channel[];
  /** How many may be under way. */
  width: number;
  most: number;
  running: number;
  /** When it was last looked at and nothing more was due, if so. */
  emptyAt: number | undefined;
};

/** Of a wide queue many are taken together, as soon as about half of its places are free. */
function hasRoom({ width, running, emptyAt }: Queue, at: Date): boolean {
  const isEmpty = emptyAt !== undefined && at.getTime() - emptyAt < LOOK_SOON_MS;
  return !isEmpty && width - running > (width - AT_ONCE) / 2;
}

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
    const begun = message && (await begin({ claim, ready: prepared }));
    if (!message || !begun) return;
    const outcome = await send(message);
    if (outcome.kind === "misconfigured")
      report(new Error(`Cannot send: ${outcome.reason}`), { channel: message.to.channel });
    await record({ ...begun, outcome });
  }

  const queues: Queue[] = [
    { channels: ["email"], most: MOST_MAILS, width: AT_ONCE, running: 0, emptyAt: undefined },
    { channels: CHANNELS.filter(isOther), most: AT_ONCE, width: AT_ONCE, running: 0, emptyAt: undefined },
  ];
  let draining: Promise<number> | undefined;
  /** Something may have become due: whatever has a place looks. */
  let asked = false;
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
        asked = true;
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

  /** One more place with each that was done quickly, one less with each that was not. */
  function adapt(queue: Queue, tookMs: number): void {
    const width = queue.width + (tookMs <= QUICK_MS ? 1 : -1);
    queue.width = Math.min(queue.most, Math.max(AT_ONCE, width));
  }

  function start(queue: Queue, claim: Claim): void {
    const from = now().getTime();
    queue.running += 1;
    const work = deliverOne(claim)
      .catch((error) => report(error, { delivery: claim.delivery.id }))
      .finally(() => {
        queue.running -= 1;
        underWay.delete(work);
        // What ended may have left something to do, such as telling somebody else.
        asked ||= underWay.size === 0;
        adapt(queue, now().getTime() - from);
        wake();
      });
    underWay.set(work, claim);
  }

  /** As much of each queue as has a place. */
  async function take(): Promise<number> {
    if (stopped) return 0;
    const free = queues.filter((queue) => (asked ? queue.running < queue.width : hasRoom(queue, now())));
    // Whoever finds no place now looks as soon as there is one.
    asked = asked && free.length < queues.length;
    if (free.length === 0) return 0;
    const lastLane = isResting() ? CODES : undefined;
    const claimed = await transaction(async (store) => {
      const at = now();
      const leaseUntil = new Date(at.getTime() + LEASE_MS);
      const taken: { queue: Queue; claims: Claim[] }[] = [];
      for (const queue of free) {
        const { channels, width, running } = queue;
        const wanted = { channels, limit: width - running, now: at, leaseUntil, lastLane };
        const claims = await claimOpen(store, wanted);
        queue.emptyAt = claims.length < wanted.limit ? at.getTime() : undefined;
        taken.push({ queue, claims });
      }
      return taken;
    });
    for (const { queue, claims } of claimed) for (const claim of claims) start(queue, claim);
    return claimed.reduce((sum, { claims }) => sum + claims.length, 0);
  }

  async function drain(): Promise<number> {
    let taken = 0;
    try {
      await transaction(async ({ deliveries, tallies }) => {
        const at = now();
        const expired = await deliveries.expire(at);
        await deliveries.removeUnowned();
        await tallies.count(tallyOfExpired(expired, at));
      });
      for (;;) {
        isAwake = false;
        taken += await take();
        if (underWay.size === 0 && (stopped || !asked)) return taken;
        await wokenOrLater();
      }
    } finally {
      await Promise.all(underWay.keys());
    }
  }

  function lookAgain(): void {
    asked = true;
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
