import { asc, eq, lt } from "drizzle-orm";
import type { Database } from "../../../database/postgres.ts";
import { NOT_LISTED_YET } from "../../catalogue/breach.ts";
import type { BreachRepository, DrillRepository } from "../../ports.ts";
import { alertTable, breachTable, drillTable } from "./tables.ts";

export function postgresDrills(tx: Database, breaches: Pick<BreachRepository, "put">): DrillRepository {
  return {
    async start(drill, { breach, alert }) {
      const started = await tx.insert(drillTable).values(drill).onConflictDoNothing().returning({ id: drillTable.id });
      if (started.length === 0) return false;
      await breaches.put("drill", [{ breach, hash: NOT_LISTED_YET }], drill.startedAt);
      await tx.insert(alertTable).values(alert);
      return true;
    },
    async find(accountId) {
      const [drill] = await tx.select().from(drillTable).where(eq(drillTable.accountId, accountId));
      return drill;
    },
    async listStartedBefore(before, limit) {
      return await tx
        .select()
        .from(drillTable)
        .where(lt(drillTable.startedAt, before))
        .orderBy(asc(drillTable.startedAt))
        .limit(limit);
    },
    async end(accountId) {
      const [drill] = await tx.delete(drillTable).where(eq(drillTable.accountId, accountId)).returning();
      if (!drill) return undefined;
      await tx.delete(breachTable).where(eq(breachTable.name, drill.breachName));
      await tx.delete(alertTable).where(eq(alertTable.id, drill.alertId));
      return drill;
    },
  };
}
