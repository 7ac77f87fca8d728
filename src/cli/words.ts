const UNITS: [name: string, ms: number][] = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1000],
];

/** `3 minutes`, in the largest unit that gives at least 1. */
export function duration(ms: number): string {
  const [name, unit] = UNITS.find(([, size]) => ms >= size) ?? ["second", 1000];
  const count = Math.floor(ms / unit);
  return `${count} ${name}${count === 1 ? "" : "s"}`;
}

export function ago(instant: Date | string, now: Date): string {
  const ms = now.getTime() - new Date(instant).getTime();
  if (Math.abs(ms) < 1000) return "just now";
  return ms >= 0 ? `${duration(ms)} ago` : `in ${duration(-ms)}`;
}

export function bytes(count: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, count)) / 3));
  const value = count / 1000 ** power;
  return `${value >= 100 || power === 0 ? Math.round(value) : value.toFixed(1)} ${units[power]}`;
}

export function many(count: number, one: string, several = `${one}s`): string {
  return `${count} ${count === 1 ? one : several}`;
}

/** An instant in UTC, truncated to minutes. */
export const minute = (instant: string) => instant.slice(0, 16).replace("T", " ");
