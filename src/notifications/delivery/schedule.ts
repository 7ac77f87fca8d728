import { type Level, rankOf } from "../../shared/severity.ts";
import type { About, ContactSettings } from "../ports.ts";

const MINUTE_MS = 60_000;
const DAY_MINUTES = 24 * 60;
export const DEFAULT_DIGEST_HOUR = 8;
export const DEFAULT_ZONE = "UTC";

export type Wait = { reason: "digest" | "quiet"; until: Date };
type MessageFacts = { kind: About["kind"]; level: Level; createdAt: Date; now: Date };

/** Minutes since midnight in that time zone. */
function minutesAt(instant: Date, zone: string): number {
  const parts = new Intl.DateTimeFormat("en-GB", {
    timeZone: zone,
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  });
  const [hour = "0", minute = "0"] = parts.format(instant).split(":");
  return Number(hour) * 60 + Number(minute);
}

function minutesOf(time: string): number {
  const [hour = "0", minute = "0"] = time.split(":");
  return Number(hour) * 60 + Number(minute);
}

/**
 * The next instant after `from` at which local time is `minutes`; if daylight saving time skips it, the first minute thereafter.
 */
export function nextAt(from: Date, minutes: number, zone: string): Date {
  const ahead = (minutes - minutesAt(from, zone) + DAY_MINUTES) % DAY_MINUTES || DAY_MINUTES;
  const wholeMinute = Math.floor(from.getTime() / MINUTE_MS) * MINUTE_MS;
  const guess = new Date(wholeMinute + ahead * MINUTE_MS);
  // The UTC offset may have changed in between.
  const off = ((minutesAt(guess, zone) - minutes + DAY_MINUTES * 1.5) % DAY_MINUTES) - DAY_MINUTES / 2;
  if (off === 0) return guess;
  const mended = new Date(guess.getTime() - off * MINUTE_MS);
  return mended > from && minutesAt(mended, zone) === minutes ? mended : guess;
}

/** True between the two times, over midnight too. */
export function isQuiet(now: Date, { from, to }: { from: string; to: string }, zone: string): boolean {
  const [start, end, at] = [minutesOf(from), minutesOf(to), minutesAt(now, zone)];
  return start <= end ? start <= at && at < end : at >= start || at < end;
}

/** How long a message waits because its contact wants it so; the most serious ones never do. */
export function waitOf(
  { settings }: { settings: ContactSettings },
  { kind, level, createdAt, now }: MessageFacts,
): Wait | undefined {
  const { digestBelow, digestHour = DEFAULT_DIGEST_HOUR, quiet, zone = DEFAULT_ZONE } = settings;
  const isAlert = kind === "alert" || kind === "alerts" || kind === "worse";
  if (isAlert && level === "critical") return undefined;
  const isMinor = digestBelow !== undefined && (digestBelow === "always" || rankOf(level) < rankOf(digestBelow));
  if (isAlert && isMinor) {
    const until = nextAt(createdAt, digestHour * 60, zone);
    if (until > now) return { reason: "digest", until };
  }
  if (quiet && isQuiet(now, quiet, zone)) return { reason: "quiet", until: nextAt(now, minutesOf(quiet.to), zone) };
  return undefined;
}
