import type { BillingDeps } from "./ports.ts";
import { isCovering } from "./purchase.ts";
import { entitlementOf, planOf } from "./subscription.ts";

const ALL = 10_000;

/** What this module knows of one account. */
export function records({ transaction, now }: BillingDeps) {
  return {
    /** What the account would lose: `plan` null when it never had one, `bought` when somebody pays for it now. */
    summaryOf(accountId: string): Promise<{ plan: string | null; active: boolean; bought: boolean }> {
      return transaction(async ({ subscriptions }) => {
        const held = await subscriptions.find(accountId);
        const { active } = entitlementOf(held, now());
        const bought = held?.purchase !== undefined && isCovering(held.purchase, now());
        return { plan: held ? planOf(held, now()) : null, active, bought };
      });
    },

    /** Everything, for the account's owner to take along. */
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
