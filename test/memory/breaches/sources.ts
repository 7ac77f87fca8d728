import type { SourceRepository, SourceState } from "../../../src/breaches/ports.ts";
import type { MemoryTables } from "../database.ts";

export type SourceRow = SourceState & { nextPollAt: Date };
const newSource = (source: string): SourceRow => ({
  source,
  latestName: undefined,
  latestAdded: undefined,
  generation: 0,
  syncedAt: undefined,
  checkedAt: undefined,
  trouble: undefined,
  lookUpTrouble: undefined,
  leftOut: [],
  pausedUntil: undefined,
  nextPollAt: new Date(0),
});

export function memorySources(tables: MemoryTables): SourceRepository {
  const sourceRows = tables<SourceRow>("breaches.source");
  const findSource = (source: string) => sourceRows.get(source) ?? newSource(source);
  return {
    async find(source) {
      const { nextPollAt: _, ...state } = findSource(source);
      return state;
    },
    async claimPoll(source, now, nextPollAt) {
      const row = findSource(source);
      if (row.nextPollAt > now) return false;
      sourceRows.set(source, { ...row, nextPollAt });
      return true;
    },
    async notePolled(source, checkedAt) {
      sourceRows.set(source, { ...findSource(source), checkedAt, trouble: undefined });
    },
    async noteCatalogueTrouble(source, { reason, keepsCause }) {
      const row = findSource(source);
      sourceRows.set(source, { ...row, trouble: keepsCause ? (row.trouble ?? reason) : reason });
    },
    async noteLookUpTrouble(source, { reason, keepsCause }) {
      const row = findSource(source);
      sourceRows.set(source, { ...row, lookUpTrouble: keepsCause ? (row.lookUpTrouble ?? reason) : reason });
    },
    async endLookUpTrouble(source) {
      const row = findSource(source);
      if (row.lookUpTrouble === undefined) return false;
      sourceRows.set(source, { ...row, lookUpTrouble: undefined });
      return true;
    },
    async raiseGenerations(sources) {
      for (const source of sources) {
        const row = findSource(source);
        sourceRows.set(source, { ...row, generation: row.generation + 1 });
      }
    },
    async noteSynced(source, { newest, grows, leftOut }, now) {
      const row = findSource(source);
      const generation = row.generation + (grows ? 1 : 0);
      const times = { syncedAt: now, checkedAt: now, trouble: undefined };
      sourceRows.set(source, {
        ...row,
        ...times,
        generation,
        leftOut,
        latestName: newest?.name,
        latestAdded: newest?.addedDate,
      });
    },
    async pause(source, pausedUntil) {
      sourceRows.set(source, { ...findSource(source), pausedUntil });
    },
  };
}
