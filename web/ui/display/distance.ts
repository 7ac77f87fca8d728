const UNITS = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
] as const;

/**
 * The distance to a time in the largest unit that fits: `{ value: -3, unit: "hour" }` for three hours ago. Less than a
 * minute is zero seconds, which reads as "now"; for zero minutes, most languages have no usual words.
 */
export function distance(iso: string, now: number): { value: number; unit: (typeof UNITS)[number][0] | "second" } {
  const span = new Date(iso).getTime() - now;
  const [unit, length] = UNITS.find(([, size]) => Math.abs(span) >= size) ?? [];
  return unit === undefined ? { value: 0, unit: "second" } : { value: Math.trunc(span / length), unit };
}
