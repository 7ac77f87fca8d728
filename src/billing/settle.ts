import { workThroughDue } from "../shared/due.ts";
import { type Notice, noticesDue, tell } from "./notices.ts";
import type { BillingDeps, BillingStore, Payer } from "./ports.ts";
import { entitlementOf, nextEnd, type Subscription } from "./subscription.ts";

const BATCH = 100;
const WEEK_MS = 7 * 24 * 3_600_000;

type Settling = { payer: Payer | undefined; now: Date; change?: Notice | undefined };

/** Stores the current entitlement and announces it if it has changed. The subscription must be locked. */
export async function saveEntitlement(
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

/** Changes by time alone: ends, and the notices before them. */
export function settling({ transaction, mode, payers, now, report }: BillingDeps) {
  /** One account per transaction: these are short, and two processes do not repeat each other's work. */
  async function settleOne(accountId: string): Promise<void> {
    const payer = await payers.of(accountId);
    await transaction(async (store) => {
      const held = await store.subscriptions.findForUpdate(accountId);
      if (held) await saveEntitlement(store, held, { payer, now: now() });
    });
  }

  /** Usually there is nothing to do, which needs no lock. */
  function isDue(accountId: string): Promise<boolean> {
    return transaction(async ({ subscriptions, notices }) => {
      const found = await subscriptions.find(accountId);
      const told = new Set((await notices.list(accountId)).map(({ key }) => key));
      return found !== undefined && noticesDue(found, told, now()).length > 0;
    });
  }

  return {
    /**
     * Job: announces entitlements that have ended, until none is left or `isOver`; an account that fails is skipped until the next
     * run. Returns the number of accounts.
     */
    async settleDue(isOver = () => false): Promise<number> {
      // While billing is off nothing ends.
      if (mode === "off") return 0;
      return workThroughDue({
        list: (after, limit) => transaction(({ subscriptions }) => subscriptions.listOverdue(now(), after, limit)),
        work: ({ id }) => settleOne(id).then(() => 1),
        failed: (error, { id: accountId }) => report(error, { job: "plans", accountId }),
        batch: BATCH,
        isOver,
      });
    },

    /** Job: sends the notices about upcoming ends. */
    async sendPlanNotices(): Promise<void> {
      if (mode === "off") return;
      const until = new Date(now().getTime() + WEEK_MS);
      const ending = await transaction(({ subscriptions }) => subscriptions.listEnding(now(), until));
      for (const accountId of ending) if (await isDue(accountId)) await settleOne(accountId);
    },
  };
}
