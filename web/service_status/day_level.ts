import type { ServiceStatus } from "../api/service_api.ts";

export const SHOWN_DAYS = 90;
const DAY_MS = 24 * 3_600_000;
const MINOR_MINUTES = 60;
const GOOD_PERCENT = 99;
const POOR_PERCENT = 95;
const FAST_SECONDS = 300;
const SLOW_SECONDS = 3600;

export type Level = "well" | "minor" | "major" | "none";
export type PartDay = {
  day: string;
  measuredMinutes: number;
  troubledMinutes: number;
  successPercent?: number | null;
};
export type SpeedDay = ServiceStatus["detectionToAcceptance"]["days"][number];

/** The days of the history in ascending order, up to the day of `now` (UTC). */
export function lastDays(now: string): string[] {
  const today = Date.parse(now.slice(0, 10));
  return Array.from({ length: SHOWN_DAYS }, (_, index) =>
    new Date(today - (SHOWN_DAYS - 1 - index) * DAY_MS).toISOString().slice(0, 10),
  );
}

export function levelOfPart(day: PartDay | undefined): Level {
  if (!day || day.measuredMinutes === 0) return "none";
  const { troubledMinutes: troubled, successPercent: success = null } = day;
  if (troubled > MINOR_MINUTES || (success !== null && success < POOR_PERCENT)) return "major";
  return troubled > 0 || (success !== null && success < GOOD_PERCENT) ? "minor" : "well";
}

export function levelOfSpeed(day: SpeedDay | undefined): Level {
  if (!day || day.p95Seconds === null) return "none";
  if (day.p95Seconds <= FAST_SECONDS) return "well";
  return day.p95Seconds <= SLOW_SECONDS ? "minor" : "major";
}

/**
 * The percentage of measured minutes without trouble, rounded down to two decimals; undefined if nothing was measured.
 */
export function shareWithoutTrouble(days: PartDay[]): number | undefined {
  const measured = days.reduce((sum, { measuredMinutes }) => sum + measuredMinutes, 0);
  const troubled = days.reduce((sum, { troubledMinutes }) => sum + troubledMinutes, 0);
  return measured === 0 ? undefined : Math.floor(((measured - troubled) / measured) * 10_000) / 100;
}
