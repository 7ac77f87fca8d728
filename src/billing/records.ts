import type { BillingDeps } from "./ports.ts";
import { isCovering } from "./purchase.ts";
import { entitlementOf, planOf } from "./subscription.ts";

const ALL = 10_000;

/** The data that billing holds on an account. */
export function records({ transaction, now }: BillingDeps) {
  return {
    /** What the account would lose: `plan` is null if it never had one, `bought` is true while it is being paid for. */
    summaryOf(accountId: string): Promise<{ plan: string | null; active: boolean; bought: boolean }> {
      return transaction(async ({ subscriptions }) => {
        const held = await subscriptions.find(accountId);
        const { active } = entitlementOf(held, now());
        const bought = held?.purchase !== undefined && isCovering(held.purchase, now());
        return { plan: held ? planOf(held, now()) : null, active, bought };
      });
    },

    /** For the account's data export. */
    recordsOf(accountId: string) {
      return transaction(async ({ subscriptions, checkouts, orders, notices }) => {
        const { purchase, ...held } = (await subscriptions.find(accountId)) ?? {};
        const { startedAt: purchasedAt, ...bought } = purchase ?? {};
        return {
          subscription:
            "accountId" in held ? { ...held, purchase: purchase ? { ...bought, purchasedAt } : null } : null,
          checkouts: (await checkouts.list(accountId)).map(({ accountId: _, ...checkout }) => checkout),
          orders: await orders.list(accountId, ALL),
          notices: await notices.list(accountId),
        };
      });
    },
  };
}
