import * as v from "valibot";
import { CHANNELS } from "../shared/contacts.ts";

const instant = v.pipe(v.string(), v.isoTimestamp());
const maybeInstant = v.nullable(instant);
/** In UTC. */
const day = v.pipe(v.string(), v.isoDate());
const minutes = v.pipe(v.number(), v.integer(), v.minValue(0));
const percent = v.pipe(v.number(), v.minValue(0), v.maxValue(100));
const seconds = v.nullable(v.number());

const other = v.optional(v.string());
/** English is always present. */
const localized = v.object({ en: v.string(), fr: other, de: other, it: other, es: other, pt: other });

/** The median and the 95th percentile of the time from raising an alert to its acceptance; null: too few alerts. */
const latency = { medianSeconds: seconds, p95Seconds: seconds };
/** How many of the measured minutes had a problem. Days without measurements are missing. */
const minutesOfDay = { day, measuredMinutes: minutes, troubledMinutes: minutes };

const shownState = v.picklist(["investigating", "identified", "monitoring", "resolved", "planned", "running"]);
export const announcement = v.object({
  id: v.string(),
  kind: v.picklist(["incident", "maintenance"]),
  title: localized,
  state: shownState,
  startsAt: instant,
  /** The planned end of a maintenance that is not over. */
  endsAt: maybeInstant,
});
const incident = v.object({
  ...announcement.entries,
  parts: v.array(v.picklist(["website", "checks", ...CHANNELS, "payments"])),
  /** The latest first. */
  updates: v.array(v.object({ id: v.string(), at: instant, state: shownState, text: localized })),
});

export const serviceStatus = v.object({
  /** "down": the database does not answer, so nothing else is known. */
  state: v.picklist(["well", "impaired", "down"]),
  checkedAt: instant,
  /** The first day of the history; null where there is none yet. */
  measuredSince: v.nullable(day),
  sources: v.array(
    v.object({
      source: v.string(),
      state: v.picklist(["well", "paused", "troubled"]),
      /** When a paused source is tried again. */
      pausedUntil: maybeInstant,
      /** When its catalogue was last read. */
      syncedAt: maybeInstant,
      /** Since when the most overdue check has been due. */
      oldestDueAt: maybeInstant,
      /** The number of unreadable entries in its catalogue; all other entries are used. */
      leftOut: v.pipe(v.number(), v.integer(), v.minValue(0)),
      days: v.array(v.object(minutesOfDay)),
    }),
  ),
  channels: v.array(
    v.object({
      channel: v.picklist(CHANNELS),
      state: v.picklist(["well", "resting", "troubled"]),
      /** Share of the messages of the last 90 days that the provider accepted; null: too few messages. */
      successPercent: v.nullable(percent),
      days: v.array(v.object({ ...minutesOfDay, successPercent: v.nullable(percent) })),
    }),
  ),
  /** How long the oldest event or message has been due. */
  oldestWaitingSeconds: v.nullable(v.pipe(v.number(), v.integer())),
  detectionToAcceptance: v.object({
    ...latency,
    /** Share of the accepted messages that may have been delivered twice. */
    possiblyTwicePercent: v.nullable(percent),
    days: v.array(v.object({ day, ...latency })),
  }),
  /** Current and planned incidents, and those of the last 90 days. */
  incidents: v.array(incident),
});
export type ServiceStatus = v.InferOutput<typeof serviceStatus>;
