import { Hono } from "hono";
import * as v from "valibot";
import { CHANNELS, type Channel } from "../shared/contacts.ts";
import { describe } from "./describe.ts";
import type { HttpEnv } from "./session.ts";

/** So long everybody gets the same answer: asking often costs nothing. */
const REMEMBERED_MS = 10_000;
/** Work that has waited so long is late. */
const LATE_SECONDS = 10 * 60;

const instant = v.nullable(v.pipe(v.string(), v.isoTimestamp()));
const serviceStatus = v.object({
  /** Down: the database does not answer, and nothing is known of the rest. */
  state: v.picklist(["well", "impaired", "down"]),
  checkedAt: v.pipe(v.string(), v.isoTimestamp()),
  sources: v.array(
    v.object({
      source: v.string(),
      state: v.picklist(["well", "paused", "troubled"]),
      /** When a paused source is asked again. */
      pausedUntil: instant,
      /** When its catalogue was read last. */
      syncedAt: instant,
      /** Since when the most overdue check has been due. */
      oldestDueAt: instant,
    }),
  ),
  channels: v.array(v.object({ channel: v.picklist(CHANNELS), state: v.picklist(["well", "resting", "troubled"]) })),
  /** How long the oldest event or message has been due. */
  oldestWaitingSeconds: v.nullable(v.pipe(v.number(), v.integer())),
});
type ServiceStatus = v.InferOutput<typeof serviceStatus>;
type SourceState = ServiceStatus["sources"][number]["state"];

/** What the modules know of themselves; more than everybody may. */
type SourceHealth = Omit<ServiceStatus["sources"][number], "state" | "oldestDueAt"> & {
  trouble: string | null;
  lookUpTrouble: string | null;
  oldestDue: string | null;
};
type ChannelHealth = { channel: Channel; state: ServiceStatus["channels"][number]["state"] };
type Figures = {
  sources: SourceHealth[];
  channels: ChannelHealth[];
  /** Since when the oldest of each queue has been due. */
  waitingSince: (Date | undefined)[];
};
type Clinic = {
  figures: () => Promise<Figures>;
  now: () => Date;
  report: (error: unknown, context: Record<string, unknown>) => void;
};

/** A source that only waits for its turn is well; its reason is none of the world's business. */
function sourceStatus(health: SourceHealth, now: Date): ServiceStatus["sources"][number] {
  const { source, syncedAt, trouble, lookUpTrouble, oldestDue } = health;
  const isPaused = lookUpTrouble !== null && health.pausedUntil !== null && new Date(health.pausedUntil) > now;
  const state: SourceState = isPaused ? "paused" : (lookUpTrouble ?? trouble) === null ? "well" : "troubled";
  const isOverdue = oldestDue !== null && new Date(oldestDue) < now;
  return {
    ...{ source, state, syncedAt },
    ...{ pausedUntil: isPaused ? health.pausedUntil : null, oldestDueAt: isOverdue ? oldestDue : null },
  };
}

function statusOf(figures: Figures, now: Date): ServiceStatus {
  const sources = figures.sources.map((health) => sourceStatus(health, now));
  const channels = figures.channels.map(({ channel, state }) => ({ channel, state }));
  const waits = figures.waitingSince.flatMap((since) =>
    since === undefined ? [] : [Math.floor((now.getTime() - since.getTime()) / 1000)],
  );
  const longest = Math.max(-1, ...waits);
  const isWell = [...sources, ...channels].every(({ state }) => state === "well") && longest < LATE_SECONDS;
  return {
    state: isWell ? "well" : "impaired",
    ...{ checkedAt: now.toISOString(), sources, channels },
    oldestWaitingSeconds: longest < 0 ? null : longest,
  };
}

/** How the service does, as everybody may know it: no reason, no figure of how many use it. */
export function serviceStatusRoutes({ figures, now, report }: Clinic) {
  let known: { until: number; status: Promise<ServiceStatus> } | undefined;

  async function look(): Promise<ServiceStatus> {
    try {
      return statusOf(await figures(), now());
    } catch (error) {
      report(error, { route: "/api/service-status" });
      const nothing = { sources: [], channels: [], oldestWaitingSeconds: null };
      return { state: "down", checkedAt: now().toISOString(), ...nothing };
    }
  }

  return new Hono<HttpEnv>().get(
    "/api/service-status",
    describe("How the service does: its sources, its channels, and how long work waits", serviceStatus),
    async (c) => {
      const time = now().getTime();
      if (known === undefined || known.until <= time) known = { until: time + REMEMBERED_MS, status: look() };
      return c.json(await known.status);
    },
  );
}
