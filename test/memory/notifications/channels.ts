import type { ChannelHealth, ChannelRepository } from "../../../src/notifications/ports.ts";
import type { MemoryTables } from "../database.ts";

export function memoryChannels(tables: MemoryTables): ChannelRepository {
  const rows = tables<ChannelHealth>("notifications.channel");
  return {
    listFailing: async () => rows.filter(({ failures }) => failures > 0),
    async countFailure(channel, reason, atLeast = 1) {
      const row = rows.get(channel) ?? { channel, failures: 0, pausedUntil: undefined };
      const failures = Math.max(row.failures + 1, atLeast);
      rows.set(channel, { ...row, failures, reason });
      return failures;
    },
    async pause(channel, until) {
      const row = rows.get(channel);
      if (row) rows.set(channel, { ...row, pausedUntil: until });
    },
    async takeProbe(channel, now, until) {
      const row = rows.get(channel);
      if (row?.pausedUntil === undefined || row.pausedUntil > now) return false;
      rows.set(channel, { ...row, pausedUntil: until });
      return true;
    },
    async recover(channel) {
      const failures = rows.get(channel)?.failures ?? 0;
      rows.delete(channel);
      return failures;
    },
  };
}
