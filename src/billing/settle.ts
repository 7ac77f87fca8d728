import { type Notice, noticesDue, tell } from "./notices.ts";
import type { BillingDeps, BillingStore, Payer } from "./ports.ts";
import { entitlementOf, nextEnd, type Subscription } from "./subscription.ts";

const BATCH = 100;
const WEEK_MS = 7 * 24 * 3_600_000;

type Settling = { payer: Payer | undefined; now: Date; change?: Notice | undefined };

/** Stores what is allowed now, and tells everybody to whom that is new. The subscription must be held. */
export async function settle(
  store: BillingStore,
  held: Subscription,
  { payer, now, change }: Settling,
): Promise<Subscription> {
  const { active, cap } = entitlementOf(held, now);
  const next = { ...held, cap, endsAt: nextEnd(held, now), endedAt: active ? undefined : (held.endedAt ?? now) };
  await store.subscriptions.save(next);
  const wasActive = held.endedAt === undefined;
  const { accountId } = held;
  if (active !== wasActive || (active && cap !== held.cap)) {
    const changedAt = now.toISOString();
    await store.events.publish({ type: "billing.subscriptionChanged", accountId, active, cap, changedAt });
  }
  await tell(store, { subscription: next, payer, change, now });
  return next;
}

/** What time alone brings about: ends, and the notices before them. */
export function settling({ transaction, mode, payers, now }: BillingDeps) {
  /** One account by itself: short transactions, and two processes find the other's work done. */
  async function settleOne(accountId: string): Promise<void> {
    const payer = await payers.of(accountId);
    await transaction(async (store) => {
      const held = await store.subscriptions.hold(accountId);
      if (held) await settle(store, held, { payer, now: now() });
    });
  }

  /** Mostly there is nothing new to tell, which is found out without a lock. */
  function isDue(accountId: string): Promise<boolean> {
    return transaction(async ({ subscriptions, notices }) => {
      const found = await subscriptions.find(accountId);
      const told = new Set((await notices.list(accountId)).map(({ key }) => key));
      return found !== undefined && noticesDue(found, told, now()).length > 0;
    });
  }

  return {
    /** The job that announces what is over. Returns how many accounts it concerned. */
    async settleDue(): Promise<number> {
      // Where nobody needs a plan, the end of one is no event.
      if (mode === "off") return 0;
      const due = await transaction(({ subscriptions }) => subscriptions.listOverdue(now(), BATCH));
      for (const accountId of due) await settleOne(accountId);
      return due.length;
    },

    /** The job that tells in time what will end. */
    async sendPlanNotices(): Promise<void> {
      if (mode === "off") return;
      const until = new Date(now().getTime() + WEEK_MS);
      const ending = await transaction(({ subscriptions }) => subscriptions.listEnding(now(), until));
      for (const accountId of ending) if (await isDue(accountId)) await settleOne(accountId);
    },
  };
}
