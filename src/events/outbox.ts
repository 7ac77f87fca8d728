import type { Event, Subscriber, Subscriptions } from "./catalogue.ts";

/** An event that waits for its subscribers; `doneBy` names those that already had it. */
export type ClaimedEvent = { id: string; event: Event; doneBy: string[]; attempts: number; leaseToken: string };

/** The table of published events, seen from the dispatcher. Claims are leases: a dead process' events come back. */
export type Outbox = {
  /**
   * Takes up to `limit` events that are due, oldest first, for `leaseMs`; of one `orderKeyOf` only the oldest of all. Only
   * those of the type `only`, if one is named.
   */
  claim(limit: number, now: Date, leaseMs: number, only?: Event["type"]): Promise<ClaimedEvent[]>;
  /** Remembers one subscriber's success. False when the lease was lost. */
  markDone(id: string, leaseToken: string, subscriber: string): Promise<boolean>;
  /** Every subscriber had it. */
  remove(id: string, leaseToken: string): Promise<void>;
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
  /** What has not begun then goes back, for another process. */
  isStopping?: () => boolean;
};

const BATCH = 20;
/** What a killed process held goes on within a minute, the time until somebody looks included. */
const LEASE_MS = 50_000;
const MAX_DELAY_MS = 5 * 60_000;

/** Delivers each event to each subscriber at least once; a failing subscriber is retried alone, for ever. */
export function createDispatcher({ outbox, subscriptions, now, onError, isStopping = () => false }: DispatcherDeps) {
  async function dispatch(claimed: ClaimedEvent): Promise<void> {
    const subscribers = Object.entries(subscriptions[claimed.event.type] ?? {}) as [string, Subscriber<Event>][];
    const failures: unknown[] = [];
    for (const [name, handle] of subscribers) {
      if (claimed.doneBy.includes(name)) continue;
      try {
        await handle(claimed.event);
        await outbox.markDone(claimed.id, claimed.leaseToken, name);
      } catch (error) {
        failures.push(error);
        onError(error, { event: claimed.event.type, id: claimed.id, subscriber: name, attempts: claimed.attempts });
      }
    }
    if (failures.length === 0) return outbox.remove(claimed.id, claimed.leaseToken);
    const delay = Math.min(MAX_DELAY_MS, 1000 * 2 ** Math.min(claimed.attempts, 20));
    const reason = failures.map((failure) => (failure instanceof Error ? failure.message : String(failure))).join("; ");
    await outbox.retryAt(claimed.id, claimed.leaseToken, new Date(now().getTime() + delay), reason);
  }

  return {
    /** Works until nothing is due, or nothing of the type `only`. Returns how many events were taken. */
    async drain(only?: Event["type"]): Promise<number> {
      let taken = 0;
      for (;;) {
        if (isStopping()) return taken;
        const batch = await outbox.claim(BATCH, now(), LEASE_MS, only);
        for (const claimed of batch) {
          if (isStopping()) await outbox.retryAt(claimed.id, claimed.leaseToken, now(), "");
          else await dispatch(claimed);
        }
        taken += batch.length;
        if (batch.length === 0) return taken;
      }
    },
  };
}
