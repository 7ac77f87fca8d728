import { CHANNELS, type Channel } from "../../shared/contacts.ts";
import { orLate } from "../../shared/or_late.ts";
import { type Lane, pipeline } from "../../shared/pipeline.ts";
import type {
  Backlog,
  HeldReason,
  Message,
  Note,
  NotificationStore,
  Report,
  Senders,
  StoreAndClock,
} from "../ports.ts";
import { statsOfExpired } from "../reporting/tally.ts";
import { type Attempts, type Ended, isSlow, leaseFrom, renewShort } from "./attempt.ts";
import { type Claim, claimOpen } from "./circuit_breaker.ts";
import { abandoned, CODES, cancelled, held, interrupted, MAX_CLAIMS, postponed, SUSPECT_CLAIMS } from "./delivery.ts";
import type { Prepare } from "./prepare.ts";
import type { Prepared, Ready } from "./prepared.ts";

/** Limit of concurrent mails: enough to share transactions and to keep all connections busy. */
const MOST_MAILS = 100;
/** Limit of concurrent deliveries of codes, of other channels, and of everything after a crash, as one of them may have caused it. */
const FEW = 5;

/** Longer than it usually takes to handle an event. */
const EVENT_MS = 60_000;
/** Attempts to record the outcome of a sent message while the database is available. */
const RECORD_TRIES = 10;

type Needs = StoreAndClock &
  Attempts & {
    prepare: Prepare;
    senders: Senders;
    /** In maintenance mode only codes are sent. */
    isUnderMaintenance: () => boolean;
    /** Called before each message but codes, to yield to requests. */
    yieldToRequests?: () => Promise<void> | undefined;
    /** Whether an event that was published before then has not been handled completely. */
    hasUnfinishedEvents: (before: Date) => Promise<boolean>;
    note: Note;
    report: Report;
  };

export function deliver(needs: Needs) {
  const { transaction, senders, prepare, begin, send, record, endUnsent } = needs;
  const { isUnderMaintenance, yieldToRequests, hasUnfinishedEvents, note, report, now } = needs;
  /**
   * Sent messages whose outcome could not be recorded yet, with the number of attempts to record it. Their leases are renewed,
   * as another worker would send them again.
   */
  const unrecorded = new Map<Ended, number>();

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

  async function recordOrKeep(ended: Ended): Promise<void> {
    try {
      await record(ended);
    } catch (error) {
      unrecorded.set(ended, 1);
      throw error;
    }
  }

  /** Called once the database is available again. */
  async function recordUnrecorded(): Promise<void> {
    const again = [...unrecorded].map(async ([ended, tries]) => {
      try {
        await record(ended);
        unrecorded.delete(ended);
      } catch (error) {
        report(error, { delivery: ended.claim.delivery.id });
        if (tries < RECORD_TRIES) unrecorded.set(ended, tries + 1);
        else unrecorded.delete(ended);
      }
    });
    await Promise.all(again);
  }

  /** True when it was delivered at the first attempt. */
  async function deliverOne(claim: Claim): Promise<boolean> {
    const { delivery } = claim;
    if (delivery.claims > MAX_CLAIMS) {
      await endUnsent(claim, held(delivery, "crash_loop"));
      report(new Error("Stopped retrying a message: its worker crashed every time"), { delivery: delivery.id });
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
    claim.sendingSince = now();
    const outcome = await send(message);
    if (outcome.kind === "misconfigured")
      report(new Error(`Cannot send: ${outcome.reason}`), { channel: message.to.channel });
    await recordOrKeep({ ...begun, outcome });
    return outcome.kind === "delivered" && claim.delivery.claims === 1;
  }

  /** Nothing was delivered since this process began, or since another one died. */
  let isCautious = true;

  /** Reclaims deliveries whose lease ran out: their worker has probably died. */
  async function reclaim({ deliveries }: NotificationStore, at: Date): Promise<void> {
    if ((await deliveries.reclaimExpired(at)) > 0) isCautious = true;
  }

  /**
   * Rows without an account are removed when they have ended, but not before the events that asked for them: a repeated event
   * has to find what it has sent.
   */
  async function removeUnowned(): Promise<void> {
    const at = now();
    for (const before of [at, new Date(at.getTime() - EVENT_MS)]) {
      if (await hasUnfinishedEvents(before)) continue;
      return transaction(({ deliveries }) => deliveries.removeUnowned(before));
    }
  }

  /**
   * Renews leases, expires late deliveries, reclaims those whose leases have ended, records outstanding outcomes, and removes ended
   * deliveries without an account.
   */
  async function tidy(claims: Claim[]): Promise<void> {
    const at = now();
    const expired = await transaction(async (store) => {
      const { deliveries, stats } = store;
      await renewShort(store, [...claims, ...[...unrecorded.keys()].map(({ claim }) => claim)], at);
      await reclaim(store, at);
      const expired = await deliveries.expire(at);
      await stats.count(statsOfExpired(expired, at));
      return expired;
    });
    for (const { id: delivery, channel } of expired)
      note("A message expired before it could be sent", { delivery, channel });
    await recordUnrecorded();
    await removeUnowned();
  }

  async function deliverAndReport(claim: Claim): Promise<undefined> {
    try {
      if (await deliverOne(claim)) isCautious = false;
      // Suspects are tried one after the other: now the next one may be.
      if (claim.delivery.claims > SUSPECT_CLAIMS) await transaction((store) => reclaim(store, now()));
    } catch (error) {
      report(error, { delivery: claim.delivery.id });
    }
  }

  function countSlow(channels: Channel[]): number {
    const isOne = (claim: Claim) => channels.includes(claim.delivery.recipient.channel) && isSlow(claim, now());
    return queue.underWay().filter(isOne).length;
  }

  /** The deliveries of these channels, or only their codes. */
  function laneOf(channels: Channel[], most: number, codesOnly = false): Lane<Claim> {
    return {
      async claim(limit) {
        const at = now();
        // In maintenance mode only staff can ask for codes, and nothing else is sent.
        const lowestPriority = codesOnly || isUnderMaintenance() ? CODES : undefined;
        const wanted = { channels, limit, now: at, leaseUntil: leaseFrom(at), lowestPriority };
        return claimOpen({ transaction, report }, { ...wanted, mayProbe: !codesOnly });
      },
      // Slow ones take none of the few places, as ten minutes may pass until a server answers.
      atOnce: () => (isCautious ? Math.min(most, FEW + countSlow(channels)) : most),
    };
  }

  const others = CHANNELS.filter((channel) => channel !== "email");
  const queue = pipeline<Claim, never>({
    lanes: [laneOf(["email"], FEW, true), laneOf(["email"], MOST_MAILS), laneOf(others, FEW)],
    work: deliverAndReport,
    tend: tidy,
    now,
  });

  return {
    /** Something may have become due: wakes a running loop. */
    lookAgain: queue.wake,

    /**
     * Sends until nothing is due, with limited concurrency; resolves to the number of claimed deliveries. A call during a run
     * wakes it immediately, so that a login code does not wait behind a slow peer.
     */
    async deliverDue(): Promise<number> {
      const claimed = await queue.run();
      if (claimed > 0) await removeUnowned();
      return claimed;
    },

    /**
     * Claims nothing new and resolves when the current deliveries have ended; those that have not in time are released, in
     * doubt, for another process.
     */
    async stopDelivering(withinMs?: number): Promise<void> {
      const stopped = queue.stop();
      await (withinMs === undefined ? stopped : orLate(withinMs, stopped, undefined));
      await recordUnrecorded();
      const underWay = queue.underWay();
      if (underWay.length === 0) return;
      for (const claim of underWay) await endUnsent(claim, abandoned(claim.delivery, now()));
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
      queue.wake();
      return counts.reduce((sum, count) => sum + count, 0);
    },

    /** Queue depth and problems, for the health page. */
    backlog(): Promise<Backlog> {
      return transaction(({ deliveries }) => deliveries.backlog(now()));
    },
  };
}
