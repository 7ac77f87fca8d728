import { Hono } from "hono";
import type { Channel } from "../shared/contacts.ts";
import { VERSION } from "../shared/product.ts";
import { hidden } from "./describe.ts";
import { type HttpEnv, staffSession } from "./session.ts";

type Moment = Date | undefined;

/** The figures that the modules report. */
export type StaffFigures = {
  sources: {
    source: string;
    breaches: number;
    syncedAt: string | null;
    pausedUntil: string | null;
    due: number;
    oldestDue: string | null;
    trouble: unknown;
    lookUpTrouble: unknown;
    subscription: SourceSubscription | null;
  }[];
  channels: {
    channel: Channel;
    state: "well" | "resting" | "troubled";
    pausedUntil: string | null;
    trouble: string | null;
  }[];
  deliveries: { due: number; oldestDueAt: Moment; held: number; dead: number; inDoubt: number };
  events: { waiting: number; oldest: Moment };
  jobs: { name: string; endedAt: Date; failedAt: Moment }[];
  database: { kind: "embedded" | "server"; bytes: number };
  backups: { state: "off" | "waiting" | "made" | "overdue" | "failed"; lastAt: string | null };
  /** This process's share of the sources' rate limits. */
  budgets: { source: string; everyMs: number; taken: number; nextSlotAt: Date }[];
  channelUses: { channel: Channel; acceptedToday: number; limit: Limit | undefined }[];
  process: { name: string; startedAt: Date; sinceStart: Answers; lastHour: Answers };
};

/** What the subscription at a source includes. */
type SourceSubscription = {
  name: string | null;
  until: string | null;
  perMinute: number;
  kAnonymity: boolean;
  stealerLogs: boolean;
};

/** Numbers of answers: all, 4xx, 5xx. */
type Answers = { all: number; refused: number; failed: number };
type Limit = { per: "second"; most: number } | { per: "month"; most: number; left: number; resetsAt: Date };
type Parts = { figures: () => Promise<StaffFigures>; now: () => Date };

const DAY_MS = 24 * 3_600_000;

/** A monthly limit as the share that is used. */
function limitShown(limit: Limit) {
  if (limit.per === "second") return { per: limit.per, most: limit.most };
  const { per, most, left, resetsAt } = limit;
  return { per, most, used: Math.max(0, most - left), resetsAt: resetsAt.toISOString() };
}

/** Operational figures for the staff. */
export function staffOverviewRoutes({ figures, now }: Parts) {
  const iso = (moment: Moment) => moment?.toISOString() ?? null;
  return new Hono<HttpEnv>().get("/api/staff/overview", hidden, staffSession, async (c) => {
    const { sources, channels, deliveries, events, jobs, database, backups, budgets, channelUses, process } =
      await figures();
    return c.json({
      at: now().toISOString(),
      version: VERSION,
      database,
      backups,
      channels,
      process: { ...process, startedAt: process.startedAt.toISOString() },
      budgets: budgets.map(({ nextSlotAt, ...budget }) => ({
        ...budget,
        room: Math.floor(DAY_MS / budget.everyMs),
        nextSlotAt: nextSlotAt.toISOString(),
      })),
      limits: channelUses.flatMap(({ channel, acceptedToday, limit }) =>
        limit === undefined ? [] : [{ channel, acceptedToday, limit: limitShown(limit) }],
      ),
      sources: sources.map(({ trouble, lookUpTrouble, ...source }) => ({
        ...source,
        troubled: trouble !== null || lookUpTrouble !== null,
      })),
      deliveries: { ...deliveries, oldestDueAt: iso(deliveries.oldestDueAt) },
      events: { waiting: events.waiting, oldest: iso(events.oldest) },
      jobs: jobs.map(({ name, endedAt, failedAt }) => ({
        name,
        endedAt: endedAt.toISOString(),
        failedAt: iso(failedAt),
      })),
    });
  });
}
