/** How far behind schedule callers of a fast source may catch up; the calls of that time may go together. */
const TOGETHER_MS = 250;

/** When a source may be called next, and how long this caller has to wait: 0 if it may go now. In milliseconds. */
type Turn = { nextSlot: number; waitMs: number };

/** One call each `intervalMs`, kept by one timestamp: when the next slot is free (GCRA). */
export function takeTurn(nextSlot: number, at: number, intervalMs: number): Turn {
  if (nextSlot > at) return { nextSlot, waitMs: Math.ceil(nextSlot - at) };
  const earliest = at - Math.max(0, TOGETHER_MS - intervalMs);
  return { nextSlot: Math.max(nextSlot, earliest) + intervalMs, waitMs: 0 };
}
