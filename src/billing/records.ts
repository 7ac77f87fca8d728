import type { BillingDeps } from "./ports.ts";
import { entitlementOf } from "./subscription.ts";

/** What this module knows of one account. */
export function records({ transaction, now }: BillingDeps) {
  return {
    /** What the account would lose with its subscription; `plan` null when it never had one. */
    summaryOf(accountId: string): Promise<{ plan: string | null; active: boolean }> {
      return transaction(async ({ subscriptions }) => {
        const subscription = await subscriptions.find(accountId);
        return { plan: subscription?.plan ?? null, active: entitlementOf(subscription, now()).active };
      });
    },

    /** Everything, for the account's owner to take along. */
    recordsOf(accountId: string) {
      return transaction(async ({ subscriptions }) => {
        const subscription = await subscriptions.find(accountId);
        return { subscription: subscription ? { ...subscription, endedAt: subscription.endedAt ?? null } : null };
      });
    },
  };
}
