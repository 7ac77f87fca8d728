export type JobEnd = { name: string; endedAt: Date; failedAt: Date | undefined };

/** Buffers how jobs ended and writes it periodically: a row for each run would be a write per second. */
export function jobDiary(now: () => Date, write: (ends: JobEnd[]) => Promise<void>) {
  const ends = new Map<string, JobEnd>();
  return {
    ended(name: string, failed: boolean): void {
      const endedAt = now();
      ends.set(name, { name, endedAt, failedAt: failed ? endedAt : ends.get(name)?.failedAt });
    },
    async flush(): Promise<void> {
      const list = [...ends.values()];
      ends.clear();
      try {
        await write(list);
      } catch (error) {
        // A success recorded meanwhile is newer, but must not erase the failure before it.
        for (const end of list) {
          const newer = ends.get(end.name) ?? end;
          ends.set(end.name, { ...newer, failedAt: newer.failedAt ?? end.failedAt });
        }
        throw error;
      }
    },
  };
}
