import type { Alert, Drill, DrillRepository } from "../../../src/breaches/ports.ts";
import type { MemoryTables } from "../database.ts";
import type { BreachRow } from "./rows.ts";

export function memoryDrills(tables: MemoryTables): DrillRepository {
  const rows = tables<Drill>("breaches.drill");
  const breaches = tables<BreachRow>("breaches.breach");
  const alerts = tables<Alert>("breaches.alert");
  return {
    async start(drill, { breach, alert }) {
      if (rows.get(drill.accountId)) return false;
      rows.set(drill.accountId, drill);
      breaches.set(breach.name, {
        source: "drill",
        breach,
        hash: "",
        removedAt: undefined,
        sameAs: undefined,
        former: [],
      });
      alerts.set(alert.id, alert);
      return true;
    },
    find: async (accountId) => rows.get(accountId),
    listStartedBefore: async (before, limit) => rows.filter(({ startedAt }) => startedAt < before).slice(0, limit),
    async end(accountId) {
      const drill = rows.get(accountId);
      if (!drill) return undefined;
      rows.delete(accountId);
      breaches.delete(drill.breachName);
      alerts.delete(drill.alertId);
      return drill;
    },
  };
}
