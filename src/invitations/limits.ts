export type Limit = { count: number; withinMs: number };

/** The earliest moment, from `now` on, at which one more keeps every limit; `times` lists the newest first. */
export function freeAt(times: readonly Date[], limits: readonly Limit[], now: Date): Date {
  const waits = limits.map(
    ({ count, withinMs }) => (times[count - 1]?.getTime() ?? Number.NEGATIVE_INFINITY) + withinMs,
  );
  return new Date(Math.max(now.getTime(), ...waits));
}

/** Since when mails count; an older one stands in nobody's way. */
export function countedSince(limits: readonly Limit[], now: Date): Date {
  return new Date(now.getTime() - Math.max(...limits.map(({ withinMs }) => withinMs)));
}
