import type { Alert, ChangeRepository, StoredChange, Watch } from "../../../src/breaches/ports.ts";
import type { MemoryTables } from "../database.ts";
import { isWithinScope } from "./alert_list.ts";
import type { BreachRow } from "./rows.ts";

type ChangeRow = StoredChange & { toldThrough: string | undefined; toldAt: Date | undefined };

const shown = ({ toldThrough: _, toldAt: __, ...change }: ChangeRow): StoredChange => change;
const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);

export function memoryChanges(tables: MemoryTables): ChangeRepository {
  const changes = tables<ChangeRow>("breaches.change");
  const breachRows = tables<BreachRow>("breaches.breach");
  const alertRows = tables<Alert>("breaches.alert");
  const watchRows = tables<Watch>("breaches.watch");

  function set(id: string, more: Partial<ChangeRow>): void {
    const row = changes.get(id);
    if (row) changes.set(id, { ...row, ...more });
  }

  function worsen(alert: Alert, at: Date): void {
    const worsenedAt = alert.worsenedAt && alert.worsenedAt > at ? alert.worsenedAt : at;
    const pending = { ...alert, state: "pending" as const, handledAt: undefined, reason: undefined, note: undefined };
    alertRows.set(alert.id, { ...pending, worsenedAt, version: alert.version + 1 });
  }

  return {
    // In-memory transactions are serialised anyway.
    lockComparisons: async () => {},
    async listKept(names) {
      const rows = names.flatMap((name) => breachRows.get(name) ?? []);
      return rows.map(({ breach, removedAt, sameAs, awaitedUntil }) => ({
        breach,
        isRemoved: removedAt !== undefined,
        isLinked: sameAs !== undefined,
        isAwaited: awaitedUntil !== undefined,
      }));
    },
    async add(list, at) {
      for (const change of list) {
        const id = Bun.randomUUIDv7();
        changes.set(id, { ...change, id, at: at.toISOString(), toldThrough: undefined, toldAt: undefined });
      }
    },
    async listByBreaches(breachNames) {
      const rows = changes.filter(({ breachName }) => breachNames.includes(breachName)).map(shown);
      return rows.sort((a, b) => (a.at === b.at ? byId(b, a) : a.at < b.at ? 1 : -1));
    },
    async listSince(since, limit) {
      const rows = changes.filter(({ at }) => new Date(at) >= since).map(shown);
      return rows.sort((a, b) => (a.at === b.at ? byId(b, a) : a.at < b.at ? 1 : -1)).slice(0, limit);
    },
    async find(id) {
      const row = changes.get(id);
      return row && shown(row);
    },
    async claimWorse() {
      const untold = changes.filter(({ worse, toldAt }) => worse && toldAt === undefined);
      const [first] = untold.sort((a, b) => (a.at === b.at ? byId(a, b) : a.at < b.at ? -1 : 1));
      return first && { ...first, at: new Date(first.at), through: first.toldThrough };
    },
    async worsenNext({ breachName, at, through }, limit) {
      const raised = alertRows.filter((alert) => alert.breachName === breachName && alert.raisedAt <= at);
      const page = raised
        .filter(({ id }) => id > (through ?? ""))
        .sort(byId)
        .slice(0, limit);
      const batch = page.filter(({ associationId }) => {
        const watch = watchRows.get(associationId);
        return watch?.suspended === false && isWithinScope(watch, breachRows.get(breachName));
      });
      for (const alert of batch) worsen(alert, at);
      const alerts = batch.map(({ id, associationId, accountId, state }) => ({
        alertId: id,
        associationId,
        accountId,
        reopened: state === "handled",
        reported: watchRows.get(associationId)?.baselineAt !== undefined,
      }));
      return { alerts, through: page.at(-1)?.id };
    },
    async worsenMissed(associationId) {
      const watch = watchRows.get(associationId);
      const missed = alertRows.filter().flatMap((alert) => {
        const { id, breachName, raisedAt, worsenedAt } = alert;
        if (alert.associationId !== associationId || !watch || !isWithinScope(watch, breachRows.get(breachName)))
          return [];
        const told = changes.filter(
          (row) =>
            row.worse && row.breachName === breachName && (row.toldAt !== undefined || (row.toldThrough ?? "") >= id),
        );
        const news = told
          .map(({ at }) => new Date(at))
          .filter((at) => at >= raisedAt && !(worsenedAt && worsenedAt >= at));
        const [last] = news.sort((a, b) => b.getTime() - a.getTime());
        return last ? [{ alert, last }] : [];
      });
      for (const { alert, last } of missed) worsen(alert, last);
      return missed.length;
    },
    advance: async (id, through) => set(id, { toldThrough: through }),
    markTold: async (id, now) => set(id, { toldAt: now, toldThrough: undefined }),
  };
}
