import { Hono } from "hono";
import type { Channel } from "../shared/contacts.ts";
import { VERSION } from "../shared/product.ts";
import { hidden } from "./describe.ts";
import { type HttpEnv, staffSession } from "./session.ts";

type Moment = Date | undefined;

/** What the modules tell of themselves. */
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
};

type Parts = { figures: () => Promise<StaffFigures>; now: () => Date };

/** How the installation does, for whoever runs it. */
export function staffOverviewRoutes({ figures, now }: Parts) {
  const iso = (moment: Moment) => moment?.toISOString() ?? null;
  return new Hono<HttpEnv>().get("/api/staff/overview", hidden, staffSession, async (c) => {
    const { sources, channels, deliveries, events, jobs, database } = await figures();
    return c.json({
      ...{ at: now().toISOString(), version: VERSION, database, channels },
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
