import { together } from "../shared/batching.ts";
import { type Event, orderKeyOf, type Subscriber, type Subscriptions } from "./catalogue.ts";

/** An event that waits for its subscribers; `doneBy` names those that already had it. */
export type ClaimedEvent = { id: string; event: Event; doneBy: string[]; attempts: number; leaseToken: string };

/** Some of all events: of a type, or with an `orderKeyOf`. */
export type Wanted = { type?: Event["type"] | undefined; orderKey?: string };

/** The table of published events, seen from the dispatcher. Claims are leases: a dead process' events come back. */
export type Outbox = {
  /**
   * Takes up to `limit` events that are due, oldest first, for `leaseMs`; of one `orderKeyOf` only the oldest of all. Only
   * those that are `wanted`.
   */
  claim(limit: number, now: Date, leaseMs: number, wanted?: Wanted): Promise<ClaimedEvent[]>;
  /** Whether any event with this `orderKeyOf` is not done yet, due or not, claimed or not. */
  waits(orderKey: string): Promise<boolean>;
  /** Remembers one subscriber's success. False when the lease was lost. */
  markDone(id: string, leaseToken: string, subscriber: string): Promise<boolean>;
  /** Every subscriber had each of them. */
  remove(list: Pick<ClaimedEvent, "id" | "leaseToken">[]): Promise<void>;
  /** Back in the queue at `runAt`. */
  retryAt(id: string, leaseToken: string, runAt: Date, error: string): Promise<void>;
  /** How many wait, and since when the oldest has been due. */
  backlog(): Promise<{ waiting: number; oldest: Date | undefined }>;
};

type DispatcherDeps = {
  outbox: Outbox;
  subscriptions: Subscriptions;
  now: () => Date;
  onError: (error: unknown, context: Record<string, unknown>) => void;
  sleep: (ms: number) => Promise<void>;
  /** What has not begun then goes back, for another process. */
  isStopping?: () => boolean;
};

const BATCH = 20;
/** So many without an order are handed out at once: while the database writes for one, the next is made ready. */
const AT_ONCE = 2;
/** What a killed process held goes on within a minute, the time until somebody looks included. */
const LEASE_MS = 50_000;
const MAX_DELAY_MS = 5 * 60_000;
/** So long somebody's answer waits at most for what another worker has in hand, looked at every few milliseconds. */
const SETTLE_MS = 4000;
const LOOK_AGAIN_MS = 10;

const isMail = ({ event }: ClaimedEvent) => event.type === "mail.requested";

/** Delivers each event to each subscriber at least once; a failing subscriber is retried alone, for ever. */
export function createDispatcher(deps: DispatcherDeps) {
  const { outbox, subscriptions, now, onError, sleep, isStopping = () => false } = deps;
  let notifyHandled = (_type: Event["type"]) => {};
  const remove = together(async (list: ClaimedEvent[]) => {
    await outbox.remove(list);
    return list.map(() => undefined);
  });

  /** False when a subscriber failed: the event comes back. */
  async function dispatch(claimed: ClaimedEvent): Promise<boolean> {
    const subscribers = Object.entries(subscriptions[claimed.event.type] ?? {}) as [string, Subscriber<Event>][];
    const open = subscribers.filter(([name]) => !claimed.doneBy.includes(name));
    const failures: unknown[] = [];
    for (const [name, handle] of open) {
      try {
        await handle(claimed.event);
        // With the last one's success the event is over.
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

  const dispatchOrReturn = (claimed: ClaimedEvent) =>
    isStopping() ? outbox.retryAt(claimed.id, claimed.leaseToken, now(), "") : dispatch(claimed);

  /** Mails wait for nothing and nothing for them: those of a moment go at once, and share what they cost. */
  async function dispatchMails(mails: ClaimedEvent[]): Promise<void> {
    const ends = await Promise.allSettled(mails.map(dispatchOrReturn));
    for (const end of ends) if (end.status === "rejected") throw end.reason;
  }

  /** In the order of publishing; what has an order key is handed out alone. */
  async function dispatchAll(batch: ClaimedEvent[]): Promise<void> {
    const underWay = new Set<Promise<unknown>>();
    try {
      for (const claimed of batch) {
        const most = orderKeyOf(claimed.event) === undefined ? AT_ONCE : 1;
        while (underWay.size >= most) await Promise.race(underWay);
        const work = dispatchOrReturn(claimed).finally(() => underWay.delete(work));
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
    /** Called after every event that all had, with what came of it committed. */
    onHandled(listener: (type: Event["type"]) => void): void {
      notifyHandled = listener;
    },

    /**
     * Hands out what waits under `orderKey`, and what follows from it, before its turn. Resolves when nothing of it is left;
     * also when a subscriber failed, or after four seconds, as all of it has its turn anyway. Never throws.
     */
    async settle(orderKey: string): Promise<void> {
      const until = now().getTime() + SETTLE_MS;
      try {
        while (now().getTime() < until && (await goOn(orderKey)));
      } catch (error) {
        onError(error, { orderKey });
      }
    },

    /** Works until nothing is due, or nothing of the type. Returns how many events were taken. */
    async drain(type?: Event["type"]): Promise<number> {
      let taken = 0;
      for (;;) {
        if (isStopping()) return taken;
        const batch = await outbox.claim(BATCH, now(), LEASE_MS, { type });
        await dispatchMails(batch.filter(isMail));
        await dispatchAll(batch.filter((claimed) => !isMail(claimed)));
        taken += batch.length;
        // Mails leave nothing behind that would have to be handed out: whoever asks for another tells.
        if (batch.length < BATCH && batch.every(isMail)) return taken;
      }
    },
  };
}
