import type { Alert, BreachDeps, BreachStore, RaisedAlert, Watch } from "../ports.ts";

/** Batch size of statements and events. */
const AT_ONCE = 500;

/**
 * Publishes new alerts: the number of pending alerts for each association, and all news in one event. Associations of addresses
 * in `complete`, whose first check has ended, get their first report; what the first checks of `aliases` found is told once all
 * aliases of their association are checked. `recount` names associations whose count may have changed without news.
 */
export async function announce(
  { alerts, watches, breaches, events }: BreachStore,
  {
    raised,
    complete = [],
    aliases = [],
    at,
    recount = [],
  }: { raised: RaisedAlert[]; complete?: Watch[]; aliases?: AliasFindings[]; at: Date; recount?: string[] },
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
  for (const { associationId, addresses } of aliases) {
    const isInReport = first.has(associationId) || (await watches.find(associationId))?.baselineAt === undefined;
    if (!isInReport) await tellNews(events, (await alerts.listFoundUnder(associationId, addresses)).map(again));
  }
  const news = raised.filter(({ baseline }) => !baseline);
  const awaited = new Set(await breaches.listAwaited([...new Set(news.map(({ breachName }) => breachName))]));
  await tellNews(
    events,
    news.filter(({ breachName }) => !awaited.has(breachName)),
  );
}

/** The addresses of an association's aliases whose first checks have just ended. */
export type AliasFindings = { associationId: string; addresses: string[] };

/** Splits the checked watches into those of associations and those of aliases whose first check has just ended. */
export async function endedChecks(
  { watches }: Pick<BreachStore, "watches">,
  checked: Watch[],
  sources: string[],
  at: Date,
): Promise<{ complete: Watch[]; aliases: AliasFindings[] }> {
  const complete = checked.filter(({ aliasOf }) => aliasOf === undefined);
  const unreported = checked.flatMap(({ aliasOf, baselineAt }) => (baselineAt || aliasOf === undefined ? [] : aliasOf));
  const ended = unreported.length === 0 ? new Map() : await watches.endFirstChecks(unreported, sources, at);
  return { complete, aliases: [...ended].map(([associationId, addresses]) => ({ associationId, addresses })) };
}

const again = (alert: Alert): RaisedAlert => ({ ...alert, again: true });
type News = Pick<RaisedAlert, "id" | "associationId" | "accountId"> & Partial<Pick<RaisedAlert, "again" | "version">>;

async function tellNews(events: BreachStore["events"], news: News[]) {
  const told = news.map(({ id, associationId, accountId, again: isAgain, version }) => ({
    alertId: id,
    associationId,
    accountId,
    ...(isAgain && version !== undefined && { again: version }),
  }));
  for (const some of chunks(told)) await events.publish({ type: "breaches.alertsRaised", alerts: some });
}

/**
 * Publishes alerts that waited for the facts of their breach: once a source has explained it, or their time is over. With facts,
 * they are news also to those whose first report could only name the breach. Returns the number of breaches.
 */
export async function announceAwaited({ transaction, now }: Pick<BreachDeps, "transaction" | "now">): Promise<number> {
  for (let told = 0; ; told++) {
    const isMore = await transaction(async ({ breaches, alerts, events }) => {
      const awaited = await breaches.claimAwaited(now());
      if (awaited === undefined) return false;
      await tellNews(events, await alerts.listReported(awaited.name, awaited.isKnown));
      await breaches.endWait(awaited.name);
      return true;
    });
    if (!isMore) return told;
  }
}

/** Publishes the number of pending alerts of each of these associations. */
export async function countAgain(
  { alerts, events }: Pick<BreachStore, "alerts" | "events">,
  associationIds: string[],
): Promise<void> {
  // Sorted, as each count takes a lock.
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
