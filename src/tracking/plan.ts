import { applyPlan, type Entitlement } from "./announce.ts";
import type { TrackingDeps, TrackingStore } from "./ports.ts";

/** Changes an account's associations consistently with its plan. */
export function planning({ transaction, planGate }: Pick<TrackingDeps, "transaction" | "planGate">) {
  function locked<T>(accountId: string, work: (store: TrackingStore) => Promise<T>): Promise<T> {
    return transaction(async (store) => {
      await store.associations.lockAccount(accountId);
      return work(store);
    });
  }

  /** Runs the work with the account locked, under the current plan. */
  return async function underPlan<T>(
    accountId: string,
    work: (store: TrackingStore, plan: Entitlement) => Promise<T>,
  ): Promise<T> {
    let used = await planGate.of(accountId);
    const result = await locked(accountId, (store) => work(store, used));
    // The plan changed in between, and that change was applied before; using the old plan would undo it.
    for (let plan = await planGate.of(accountId); !isSame(plan, used); plan = await planGate.of(accountId)) {
      used = plan;
      await locked(accountId, (store) => applyPlan(store, accountId, used));
    }
    return result;
  };
}

function isSame(one: Entitlement, other: Entitlement): boolean {
  return one.active === other.active && one.cap === other.cap;
}
