import { together } from "../shared/batching.ts";
import { type Event, orderKeyOf, type Subscriber, type Subscriptions } from "./catalogue.ts";

/** An undelivered event; `doneBy` names the subscribers that have handled it. */
export type ClaimedEvent = { id: string; event: Event; doneBy: string[]; attempts: number; leaseToken: string };

/** A filter: events of a type, or with an `orderKeyOf`. */
export type Wanted = { type?: Event["type"] | undefined; orderKey?: string };

/** The table of published events as the dispatcher uses it. Claims are leases: events of a dead process are delivered again. */
export type Outbox = {
  /**
   * Claims up to `limit` due events, oldest first, for `leaseMs`; only the oldest of each `orderKeyOf`, and only `wanted` ones.
   */
  claim(limit: number, now: Date, leaseMs: number, wanted?: Wanted): Promise<ClaimedEvent[]>;
  /** Whether any event with this `orderKeyOf` is unfinished, due or not, claimed or not. */
  waits(orderKey: string): Promise<boolean>;
  /** Records one subscriber's success. False when the lease was lost. */
  markDone(id: string, leaseToken: string, subscriber: string): Promise<boolean>;
  /** Removes events that every subscriber has handled. */
  remove(list: Pick<ClaimedEvent, "id" | "leaseToken">[]): Promise<void>;
  /** Releases the event until `runAt`. */
  retryAt(id: string, leaseToken: string, runAt: Date, error: string): Promise<void>;
  /** How many events wait, and since when the oldest has been due. */
  backlog(): Promise<{ waiting: number; oldest: Date | undefined }>;
  /** Whether an event that was published before `at`, or by a release that did not record when, is unfinished. */
  hasOlderThan(at: Date): Promise<boolean>;
};

type DispatcherDeps = {
  outbox: Outbox;
  subscriptions: Subscriptions;
  now: () => Date;
  onError: (error: unknown, context: Record<string, unknown>) => void;
  sleep: (ms: number) => Promise<void>;
  /** Events that have not been started then are released for another process. */
  isStopping?: () => boolean;
};

const BATCH = 20;
/** Concurrency limit for events without an order key: while the database writes for one, the next is prepared. */
const AT_ONCE = 2;
/** Together with the polling interval, events of a killed process are delivered again within a minute. */
const LEASE_MS = 50_000;
const MAX_DELAY_MS = 5 * 60_000;
/** How long a request waits at most for an event that another worker has claimed; polled every few milliseconds. */
const SETTLE_MS = 4000;
const LOOK_AGAIN_MS = 10;

const isMail = ({ event }: ClaimedEvent) => event.type === "mail.requested";

/** Delivers each event to each subscriber at least once; a failing subscriber is retried separately, without limit. */
export function createDispatcher(deps: DispatcherDeps) {
  const { outbox, subscriptions, now, onError, sleep, isStopping = () => false } = deps;
  let notifyHandled = (_type: Event["type"]) => {};
  const remove = together(async (list: ClaimedEvent[]) => {
    await outbox.remove(list);
    return list.map(() => undefined);
  });

  /** False when a subscriber failed: the event is retried. */
  async function dispatch(claimed: ClaimedEvent): Promise<boolean> {
    const subscribers = Object.entries(subscriptions[claimed.event.type] ?? {}) as [string, Subscriber<Event>][];
    const open = subscribers.filter(([name]) => !claimed.doneBy.includes(name));
    const failures: unknown[] = [];
    for (const [name, handle] of open) {
      try {
        await handle(claimed.event);
        // With the last subscriber's success the event is finished.
        const isOver = failures.length === 0 && name === open.at(-1)?.[0];
        if (!isOver) await outbox.markDone(claimed.id, claimed.leaseToken, name);
      } catch (error) {
        failures.push(error);
        onError(error, { event: claimed.event.type, id: claimed.id, subscriber: name, attempts: claimed.attempts });
      }
    }
    if (failures.length === 0) {
      await remove(claimed);
      notifyHandled(claimed.event.type);
      return true;
    }
    const delay = Math.min(MAX_DELAY_MS, 1000 * 2 ** Math.min(claimed.attempts, 20));
    const reason = failures.map((failure) => (failure instanceof Error ? failure.message : String(failure))).join("; ");
    await outbox.retryAt(claimed.id, claimed.leaseToken, new Date(now().getTime() + delay), reason);
    return false;
  }

  /**
   * Returns the event when its lease may soon be over, as after a long pause of the process: another worker may be handling it
   * and those that follow it.
   */
  const dispatchOrReturn = (claimed: ClaimedEvent, until: Date) =>
    isStopping() || now() > until ? outbox.retryAt(claimed.id, claimed.leaseToken, now(), "") : dispatch(claimed);

  /** Mails do not depend on order, so those of one batch are dispatched concurrently and share batched statements. */
  async function dispatchMails(mails: ClaimedEvent[], until: Date): Promise<void> {
    const ends = await Promise.allSettled(mails.map((claimed) => dispatchOrReturn(claimed, until)));
    for (const end of ends) if (end.status === "rejected") throw end.reason;
  }

  /** In publishing order; events with an order key are dispatched one at a time. */
  async function dispatchAll(batch: ClaimedEvent[], until: Date): Promise<void> {
    const underWay = new Set<Promise<unknown>>();
    try {
      for (const claimed of batch) {
        const most = orderKeyOf(claimed.event) === undefined ? AT_ONCE : 1;
        while (underWay.size >= most) await Promise.race(underWay);
        const work = dispatchOrReturn(claimed, until).finally(() => underWay.delete(work));
        underWay.add(work);
        if (most === 1) await work;
      }
      await Promise.all(underWay);
    } finally {
      await Promise.allSettled(underWay);
    }
  }

  /** True while there may be more. */
  async function goOn(orderKey: string): Promise<boolean> {
    const [claimed] = await outbox.claim(1, now(), LEASE_MS, { orderKey });
    if (claimed) return dispatch(claimed);
    if (!(await outbox.waits(orderKey))) return false;
    await sleep(LOOK_AGAIN_MS);
    return true;
  }

  return {
    /** Called after every event that all subscribers have handled and committed. */
    onHandled(listener: (type: Event["type"]) => void): void {
      notifyHandled = listener;
    },

    /**
     * Delivers the events under `orderKey`, and those that follow from them, ahead of the queue. Resolves when none is left,
     * when a subscriber failed, or after four seconds; the rest is delivered as usual. Never throws.
     */
    async drainFor(orderKey: string): Promise<void> {
      const until = now().getTime() + SETTLE_MS;
      try {
        while (now().getTime() < until && (await goOn(orderKey)));
      } catch (error) {
        onError(error, { orderKey });
      }
    },

    /** Works until no event (of the type) is due. Returns the number of claimed events. */
    async drain(type?: Event["type"]): Promise<number> {
      let taken = 0;
      for (;;) {
        if (isStopping()) return taken;
        const until = new Date(now().getTime() + LEASE_MS / 2);
        const batch = await outbox.claim(BATCH, now(), LEASE_MS, { type });
        await dispatchMails(batch.filter(isMail), until);
        await dispatchAll(
          batch.filter((claimed) => !isMail(claimed)),
          until,
        );
        taken += batch.length;
        // Handling a mail publishes no further events, so there is no need to look again.
        if (batch.length < BATCH && batch.every(isMail)) return taken;
      }
    },
  };
}
