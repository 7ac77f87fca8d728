import type { EventOf } from "../events/catalogue.ts";
import { ok, type Result } from "../shared/result.ts";
import type { BillingDeps } from "./ports.ts";
import { daysLeft, type Entitlement, entitlementOf, newTrial, TRIAL_CAP } from "./subscription.ts";

const UNLIMITED: Entitlement = { active: true, cap: null };
const BATCH = 100;

export type SubscriptionView = {
  status: "active" | "trial" | "inactive";
  plan: "off" | "trial";
  trialEndsAt: string | null;
  daysLeft: number | null;
  cap: number | null;
};

/** The trial, from registration to its end, and what it allows. */
export function trial({ transaction, mode, now }: BillingDeps) {
  return {
    onRegistered({ accountId }: EventOf<"identity.registered">): Promise<void> {
      return transaction(async ({ subscriptions, events }) => {
        if (mode === "off" || !(await subscriptions.add(newTrial(accountId, now())))) return;
        await events.publish({
          type: "billing.subscriptionChanged",
          accountId,
          active: true,
          cap: TRIAL_CAP,
          changedAt: now().toISOString(),
        });
      });
    },

    onDeleted({ accountId }: EventOf<"identity.deleted">): Promise<void> {
      return transaction(({ subscriptions }) => subscriptions.remove(accountId));
    },

    /** What the account may do now. */
    entitlementOf(accountId: string): Promise<Entitlement> {
      if (mode === "off") return Promise.resolve(UNLIMITED);
      return transaction(async ({ subscriptions }) => entitlementOf(await subscriptions.find(accountId), now()));
    },

    showSubscription(accountId: string): Promise<Result<SubscriptionView>> {
      if (mode === "off")
        return Promise.resolve(ok({ status: "active", plan: "off", trialEndsAt: null, daysLeft: null, cap: null }));
      return transaction(async ({ subscriptions }) => {
        const subscription = await subscriptions.find(accountId);
        const { active, cap } = entitlementOf(subscription, now());
        return ok({
          status: active ? "trial" : "inactive",
          plan: "trial",
          trialEndsAt: subscription?.endsAt.toISOString() ?? null,
          daysLeft: subscription ? daysLeft(subscription, now()) : null,
          cap,
        });
      });
    },

    /** The job that announces trials that are over. */
    endTrials(): Promise<void> {
      return transaction(async ({ subscriptions, events }) => {
        for (const { accountId } of await subscriptions.listOverdue(now(), BATCH)) {
          if (!(await subscriptions.markEnded(accountId, now()))) continue;
          await events.publish({
            type: "billing.subscriptionChanged",
            accountId,
            active: false,
            cap: TRIAL_CAP,
            changedAt: now().toISOString(),
          });
        }
      });
    },
  };
}
