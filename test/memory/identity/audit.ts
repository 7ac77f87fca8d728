import type { AuditEvent, AuditRepository } from "../../../src/identity/account/audit_ports.ts";
import type { MemoryTables } from "../database.ts";

export function memoryAudit(tables: MemoryTables): AuditRepository {
  const events = tables<AuditEvent>("identity.audit_events");
  return {
    async add(event) {
      events.set(event.id, event);
    },
    async list(accountId, since, limit) {
      const found = events.filter((event) => event.accountId === accountId && event.at >= since);
      return found
        .reverse()
        .sort((one, other) => other.at.getTime() - one.at.getTime())
        .slice(0, limit);
    },
    async forget(accountId) {
      const anonymous = { accountId: undefined, sessionMark: undefined, ipPrefix: undefined, device: {}, detail: {} };
      for (const event of events.filter((row) => row.accountId === accountId))
        events.set(event.id, { ...event, ...anonymous });
    },
    async removeBefore(before) {
      events.removeWhere(({ at }) => at < before);
    },
  };
}
