import type { Alert, BreachStore, Watch } from "../ports.ts";

/** So many of anything go into one statement, and into one event. */
const AT_ONCE = 500;

/**
 * Tells of new alerts: to each association how many are open, and the news of all together. Those who watch what is
 * `complete`, as its first check has ended, get their one report. `recount` names associations whose count may be another
 * one without any news.
 */
export async function announce(
  { alerts, watches, events }: BreachStore,
  { raised, complete = [], at, recount = [] }: { raised: Alert[]; complete?: Watch[]; at: Date; recount?: string[] },
): Promise<void> {
  const unreported = complete.flatMap(({ associationId, baselineAt }) => (baselineAt ? [] : associationId));
  const first = new Set(await watches.markBaselines(unreported, at));
  const reports = await alerts.listBaselineIds([...first]);
  await events.publish(
    ...complete.flatMap(({ associationId, accountId }) =>
      first.has(associationId)
        ? {
            type: "breaches.baselineReady" as const,
            associationId,
            accountId,
            alertIds: reports.get(associationId) ?? [],
          }
        : [],
    ),
  );
  const counts = [...recount, ...first, ...raised.map(({ associationId }) => associationId)];
  await countAgain({ alerts, events }, counts);
  const news = raised.flatMap(({ id, associationId, accountId, baseline }) =>
    baseline ? [] : { alertId: id, associationId, accountId },
  );
  for (const some of chunks(news)) await events.publish({ type: "breaches.alertsRaised", alerts: some });
}

/** Tells of each of these associations once how many of its alerts are pending now. */
export async function countAgain(
  { alerts, events }: Pick<BreachStore, "alerts" | "events">,
  associationIds: string[],
): Promise<void> {
  // In one order everywhere: each count is a lock.
  for (const some of chunks([...new Set(associationIds)].toSorted())) {
    const counts = await alerts.countOpen(some);
    if (counts.length > 0) await events.publish({ type: "breaches.openAlertsChanged", counts });
  }
}

function chunks<Item>(list: Item[]): Item[][] {
  return Array.from({ length: Math.ceil(list.length / AT_ONCE) }, (_, index) =>
    list.slice(index * AT_ONCE, (index + 1) * AT_ONCE),
  );
}
