import { and, desc, eq, gte, lt } from "drizzle-orm";
import { withoutNulls } from "../../../database/nulls.ts";
import type { Database } from "../../../database/postgres.ts";
import type { AuditRepository } from "../../account/audit_ports.ts";
import { auditEventsTable } from "./tables.ts";

export function postgresAudit(tx: Database): AuditRepository {
  const events = auditEventsTable;
  return {
    async add(event) {
      await tx.insert(events).values(event);
    },
    async list(accountId, since, limit) {
      const recent = and(eq(events.accountId, accountId), gte(events.at, since));
      const newestFirst = tx.select().from(events).where(recent).orderBy(desc(events.at), desc(events.id));
      return (await newestFirst.limit(limit)).map(withoutNulls);
    },
    async forget(accountId) {
      await tx
        .update(events)
        .set({ accountId: null, sessionMark: null, ipPrefix: null, device: {}, detail: {} })
        .where(eq(events.accountId, accountId));
    },
    async removeBefore(before) {
      await tx.delete(events).where(lt(events.at, before));
    },
  };
}
