import type { Report, StoreAndClock } from "../ports.ts";
import type { TelegramBot, TelegramUpdate } from "./telegram_ports.ts";

/** Longer than one long poll. */
const LEASE_MS = 90_000;
/** Telegram keeps undelivered updates for a day. */
const REMEMBER_MS = 2 * 24 * 3_600_000;
const HOUR_MS = 3_600_000;
/** Rate limit of one chat per hour. */
const UPDATES_PER_HOUR = 60;
const GIVE_UP_AFTER = 3;

type Needs = StoreAndClock & {
  telegramBot?: TelegramBot | undefined;
  onUpdate: (update: TelegramUpdate) => Promise<void>;
  newId: () => string;
  report: Report;
};

/** Passes updates to their handler exactly once, by polling or webhook. */
export function telegramUpdates({ transaction, telegramBot, onUpdate, newId, report, now }: Needs) {
  const holder = newId();
  const stopping = new AbortController();
  const counts = new Map<string, { since: number; count: number }>();
  const failures = new Map<number, number>();
  let lastId: number | undefined;
  let restUntil = 0;
  let polling: Promise<number> = Promise.resolve(0);

  /** Ignores a chat that exceeds its rate limit for the rest of the hour. */
  function isFlood({ chat, kind }: TelegramUpdate): boolean {
    const at = now().getTime();
    for (const [id, { since }] of counts) if (at - since >= HOUR_MS) counts.delete(id);
    const seen = counts.get(chat.id) ?? { since: at, count: 0 };
    counts.set(chat.id, { ...seen, count: seen.count + 1 });
    return seen.count >= UPDATES_PER_HOUR && kind !== "stop" && kind !== "blocked" && kind !== "unblocked";
  }

  async function handleOnce(update: TelegramUpdate): Promise<void> {
    if (await transaction(({ telegram }) => telegram.hasSeen(update.id))) return;
    if (!isFlood(update)) await onUpdate(update);
    const at = now();
    const since = new Date(at.getTime() - REMEMBER_MS);
    // Marked afterwards: handling is idempotent, so an update may be repeated but never lost.
    await transaction(({ telegram }) => telegram.markSeen(update.id, at, since));
    failures.delete(update.id);
  }

  /** An update that fails repeatedly must not block all others. */
  async function handleOrGiveUp(update: TelegramUpdate): Promise<boolean> {
    try {
      await handleOnce(update);
      return true;
    } catch (error) {
      const count = (failures.get(update.id) ?? 0) + 1;
      failures.set(update.id, count);
      report(error, { telegramUpdate: update.id, tried: count });
      if (count < GIVE_UP_AFTER) return false;
      failures.delete(update.id);
      return true;
    }
  }

  async function poll(): Promise<number> {
    await telegramBot?.prepare();
    if (!telegramBot?.updates) return 0;
    const until = new Date(now().getTime() + LEASE_MS);
    if (!(await transaction(({ telegram }) => telegram.lease(holder, now(), until)))) return 0;
    const answer = await telegramBot.updates(lastId, stopping.signal);
    if (answer.kind === "trouble") {
      if (!stopping.signal.aborted) report(new Error(`Cannot ask Telegram for updates: ${answer.reason}`), {});
      restUntil = now().getTime() + answer.afterMs;
      return 0;
    }
    for (const update of answer.updates) {
      if (!(await handleOrGiveUp(update))) return 0;
      lastId = update.id;
    }
    lastId = answer.lastId ?? lastId;
    return answer.updates.length;
  }

  return {
    /** Job: polls for updates, in one process at a time; returns how many there were. */
    async pollTelegram(): Promise<number> {
      if (stopping.signal.aborted || now().getTime() < restUntil) return 0;
      polling = poll();
      return polling;
    },

    /** Handles an update from the webhook; throws when Telegram should repeat it. */
    onTelegramUpdate: handleOnce,

    /** Aborts the current poll and releases the lease, so that another process can poll immediately. */
    async stopPolling(): Promise<void> {
      stopping.abort();
      await polling.catch(() => undefined);
      await transaction(({ telegram }) => telegram.endLease(holder));
    },
  };
}
