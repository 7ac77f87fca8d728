export type JobEnd = { name: string; endedAt: Date; failedAt: Date | undefined };

/** Remembers how jobs ended, and writes it down now and then: a row for each end would be a write a second. */
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
        // What happened meanwhile is newer, but a success says nothing of the failure before it.
        for (const end of list) {
          const newer = ends.get(end.name) ?? end;
          ends.set(end.name, { ...newer, failedAt: newer.failedAt ?? end.failedAt });
        }
        throw error;
      }
    },
  };
}
