import type { Alert, BreachStore } from "./ports.ts";

/**
 * Tells of new alerts: to each association how many are open, and all news in one event. An `address` is one whose
 * first check has ended: its associations get their one report. `recount` names those whose count may be another one
 * without any news.
 */
export async function announce(
  { alerts, watches, events }: BreachStore,
  { raised, address, at, recount = [] }: { raised: Alert[]; address?: string; at: Date; recount?: string[] },
): Promise<void> {
  const counts = new Set([...recount, ...raised.map(({ associationId }) => associationId)]);
  const complete = address === undefined ? [] : await watches.listActive(address);
  for (const { associationId, accountId, baselineAt } of complete) {
    if (baselineAt !== undefined || !(await watches.markBaseline(associationId, at))) continue;
    const alertIds = await alerts.listBaselineIds(associationId);
    await events.publish({ type: "breaches.baselineReady", associationId, accountId, alertIds });
    counts.add(associationId);
  }
  await countAgain({ alerts, events }, [...counts]);
  const news = raised.filter((alert) => !alert.baseline);
  if (news.length === 0) return;
  await events.publish({
    type: "breaches.alertsRaised",
    alerts: news.map(({ id, associationId, accountId }) => ({ alertId: id, associationId, accountId })),
  });
}

/** Tells of each of these associations once how many of its alerts are pending now. */
export async function countAgain(
  { alerts, events }: Pick<BreachStore, "alerts" | "events">,
  associationIds: string[],
): Promise<void> {
  // In one order everywhere: each count is a lock.
  for (const count of await alerts.countOpen([...new Set(associationIds)].toSorted()))
    await events.publish({ type: "breaches.openAlertsChanged", ...count });
}
