import type { BreachChange } from "../../shared/breach_change.ts";
import type { BreachDeps, BreachStore, StoredChange } from "../ports.ts";
import { countAgain } from "../scanning/announce.ts";

/** Batch size: a change may affect everybody, and a transaction blocks others. */
const BATCH = 200;

/** Notifies those with an alert for a breach that it became more severe, once per change. */
export function worsening({ transaction, now }: BreachDeps) {
  /** Processes the next batch of the oldest change, with its progress, in one transaction; undefined when there is none. */
  function tellNext(): Promise<number | undefined> {
    return transaction(async (store) => {
      const change = await store.changes.claimWorse();
      if (change === undefined) return undefined;
      // Suspended associations are not notified, as nothing is checked for them; they find the change in the alert later.
      const { alerts, through } = await store.changes.worsenNext(change, BATCH);
      if (through === undefined) await store.changes.markTold(change.id, now());
      else await store.changes.advance(change.id, through);
      await countAgain(
        store,
        alerts.flatMap(({ reopened, associationId }) => (reopened ? associationId : [])),
      );
      const told = alerts.filter(({ reported }) => reported);
      if (told.length > 0)
        await store.events.publish({
          type: "breaches.alertsWorsened",
          breachName: change.breachName,
          changeId: change.id,
          alerts: told.map(({ alertId, associationId, accountId }) => ({ alertId, associationId, accountId })),
        });
      return alerts.length;
    });
  }

  return {
    /** Continues where it stopped; returns the number of alerts that became pending. */
    async tellChanges(): Promise<number> {
      let total = 0;
      for (;;) {
        const told = await tellNext();
        if (told === undefined) return total;
        total += told;
      }
    },

    /** The facts of a change for its message. */
    changeOf(id: string): Promise<BreachChange | undefined> {
      return transaction(async ({ changes }) => {
        const change = await changes.find(id);
        return change && shown(change);
      });
    },
  };
}

export function shown({ id: _, breachName: __, ...change }: StoredChange): BreachChange {
  return change;
}

/** What changed about the entry that stands for this breach, the newest first. */
export async function changesOf({ breaches, changes }: BreachStore, breachName: string): Promise<BreachChange[]> {
  const names = await breaches.canonical([breachName]);
  return (await changes.listByBreaches([names.get(breachName) ?? breachName])).map(shown);
}
