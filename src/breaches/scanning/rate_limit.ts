/** How much unused time the callers of a fast source may make up for, in one burst. */
const BURST_MS = 250;

/** One caller's turn at a source. */
type Turn = {
  /** When the source's next slot is free from then on, in milliseconds since 1970. */
  nextSlot: number;
  /** How long the caller has to wait, in milliseconds; 0: it may go now. */
  waitMs: number;
};

/** Allows one call every `intervalMs`. The only state is the time at which the next slot is free (GCRA). */
export function takeTurn(nextSlot: number, at: number, intervalMs: number): Turn {
  if (nextSlot > at) return { nextSlot, waitMs: Math.ceil(nextSlot - at) };
  const earliest = at - Math.max(0, BURST_MS - intervalMs);
  return { nextSlot: Math.max(nextSlot, earliest) + intervalMs, waitMs: 0 };
}
