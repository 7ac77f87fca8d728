import type { EventOf } from "../events/catalogue.ts";
import type { AlertRoute } from "../shared/contacts.ts";
import { coveredBy } from "./association.ts";
import type { TrackingDeps } from "./ports.ts";

/** Keeps the facts behind an association's status, and answers where its alerts go. */
export function monitoring({ transaction }: TrackingDeps) {
  return {
    onOpenAlertsChanged({ associationId, open, version }: EventOf<"breaches.openAlertsChanged">): Promise<void> {
      return transaction(({ associations }) => associations.setOpenAlerts(associationId, open, version));
    },

    /** Suspends what the plan no longer covers (the newest first) and resumes what it covers again. */
    onSubscriptionChanged({
      accountId,
      active,
      cap,
      changedAt,
    }: EventOf<"billing.subscriptionChanged">): Promise<void> {
      return transaction(async ({ associations, events }) => {
        await associations.lockAccount(accountId);
        if (!(await associations.noteEntitlement(accountId, new Date(changedAt)))) return;
        const all = await associations.listByAccount(accountId);
        // Nothing to suspend, and perhaps nobody any more: an account that was deleted must not be remembered by this.
        if (all.length === 0) return associations.forgetAccount(accountId);
        const covered = coveredBy(all, { active, cap });
        for (const { id: associationId, address, suspended } of all) {
          if (suspended === !covered.has(associationId)) continue;
          await associations.setSuspended(associationId, !suspended);
          const type = suspended ? "tracking.monitoringResumed" : "tracking.monitoringSuspended";
          await events.publish({ type, associationId, accountId, address });
        }
      });
    },

    onDeleted({ accountId }: EventOf<"identity.deleted">): Promise<void> {
      return transaction(async ({ associations, events }) => {
        for (const { id, address } of await associations.listByAccount(accountId)) {
          await associations.remove(accountId, id);
          await events.publish({ type: "tracking.monitoringStopped", associationId: id, accountId, address });
        }
        await associations.forgetAccount(accountId);
      });
    },

    /** Where the alerts of these associations go; a removed one is missing from the answer. */
    async routesOf(associationIds: string[]): Promise<AlertRoute[]> {
      const found = await transaction(({ associations }) => associations.listByIds(associationIds));
      return found.map(({ id, accountId, address, language, contacts }) => ({
        associationId: id,
        accountId,
        address,
        language,
        contacts,
      }));
    },
  };
}
