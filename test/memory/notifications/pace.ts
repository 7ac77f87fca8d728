import { LONGEST_QUEUE_MS } from "../../../src/notifications/delivery/pacing.ts";
import type { PaceRepository } from "../../../src/notifications/ports.ts";
import type { MemoryTables } from "../database.ts";

export function memoryPace(tables: MemoryTables): PaceRepository {
  const rows = tables<{ nextAt: number }>("notifications.pace");
  return {
    async take(channel, count, spacingMs, now) {
      const [at, next = 0] = [now.getTime(), rows.get(channel)?.nextAt];
      const first = next >= at && next <= at + LONGEST_QUEUE_MS ? next : at;
      rows.set(channel, { nextAt: first + count * spacingMs });
      return first;
    },
  };
}
