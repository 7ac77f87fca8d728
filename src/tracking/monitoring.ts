import type { EventOf } from "../events/catalogue.ts";
import type { AlertRoute } from "../shared/contacts.ts";
import { announceEnd, announceStart, applyPlan } from "./announce.ts";
import type { Association } from "./association.ts";
import { routeOf } from "./contacts.ts";
import { planning } from "./plan.ts";
import type { TrackingDeps } from "./ports.ts";

/** Maintains the facts behind an association's status, and its alert routes. */
export function monitoring(deps: TrackingDeps) {
  const { transaction } = deps;
  const underPlan = planning(deps);

  return {
    onOpenAlertsChanged({ counts }: EventOf<"breaches.openAlertsChanged">): Promise<void> {
      return transaction(({ associations }) => associations.setOpenAlerts(counts));
    },

    /** Suspends what exceeds the plan and resumes what it covers again. */
    onSubscriptionChanged({
      accountId,
      active,
      cap,
      changedAt,
    }: EventOf<"billing.subscriptionChanged">): Promise<void> {
      return transaction(async (store) => {
        await store.associations.lockAccount(accountId);
        if (!(await store.associations.noteEntitlement(accountId, new Date(changedAt)))) return;
        // A deleted account must not be stored again by this.
        if ((await store.associations.countByAccount(accountId)) === 0)
          return store.associations.forgetAccount(accountId);
        await applyPlan(store, accountId, { active, cap });
      });
    },

    /** Starts tracking once the owner has agreed, or applies a new scope. */
    onGranted({ associationId, accountId: inviterId, scope, version }: EventOf<"invitations.granted">): Promise<void> {
      return transaction(async (store) => {
        // Locks the account, so that a concurrent change of the plan sees the state before or after.
        if (!(await store.associations.find(inviterId, associationId))) return;
        await store.associations.lockAccount(inviterId);
        const before = await store.associations.grant(associationId, scope, version);
        if (!before) return;
        const after: Association = { ...before, consent: "granted", scope, scopeVersion: version };
        if (before.consent === "pending") return announceStart(store, after);
        const { accountId, address } = after;
        await store.events.publish({ type: "tracking.scopeChanged", associationId, accountId, address, scope });
      });
    },

    /** Without consent there may be room for another address. */
    async onConsentEnded({ associationId, accountId, repeated }: EventOf<"invitations.ended">): Promise<void> {
      if (!(await transaction(({ associations }) => associations.find(accountId, associationId)))) return;
      await underPlan(accountId, async (store, plan) => {
        const found = await store.associations.find(accountId, associationId);
        // The account has verified the address in the meantime and needs no consent.
        if (found?.consent === "own") return;
        const removed = await store.associations.remove(accountId, associationId);
        if (!removed) return;
        const about = { associationId, accountId, address: removed.address };
        if (removed.consent !== "pending") await store.events.publish({ type: "tracking.monitoringStopped", ...about });
        await applyPlan(store, accountId, plan, repeated);
      });
    },

    onDeleted({ accountId, repeated }: EventOf<"identity.deleted">): Promise<void> {
      return transaction(async (store) => {
        await store.associations.lockAccount(accountId);
        for (const association of await store.associations.listByAccount(accountId)) {
          await store.associations.remove(accountId, association.id);
          await announceEnd(store, association, repeated);
        }
        await store.associations.forgetAccount(accountId);
      });
    },

    /** The alert routes of these associations; removed ones are left out, and those without consent. */
    async routesOf(associationIds: string[]): Promise<AlertRoute[]> {
      const found = await transaction(({ associations }) => associations.listByIds(associationIds));
      return found.filter(({ consent }) => consent !== "pending").map(routeOf);
    },
  };
}
