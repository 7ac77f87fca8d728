import type { PushKey, PushKeyRepository } from "../../../src/notifications/webpush/webpush_ports.ts";
import type { MemoryTables } from "../database.ts";

export function memoryPushKeys(tables: MemoryTables): PushKeyRepository {
  const rows = tables<PushKey>("notifications.push_key");
  return {
    find: async () => rows.get("only"),
    async add(key) {
      if (!rows.get("only")) rows.set("only", key);
    },
  };
}
